import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { patch } from '@decimalturn/toml-patch';
import { agentsFile } from '../../agents/config/schema.ts';
import { isUrl } from '../../task/git/clone.ts';
import { positionInToml, type TomlPath } from '../../task/toml/toml-positions.ts';
import type { LiveProject } from '../live/read.ts';

/** An agents.toml for the staged project, and everything in which it differs from the live one. */
export interface Translation {
  readonly text: string;
  readonly differences: readonly string[];
  /** Files to copy: from an absolute path to one below the staged project. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
}

type Table = Record<string, unknown>;
const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null;

/** Nothing is guessed: a key that this system does not have is left out by name, a path keeps its meaning. */
export function translate(live: LiveProject): Translation {
  const differences: string[] = [];
  const copies: Translation['copies'][number][] = [];
  const value = structuredClone({ ...live.value });
  const placed = (path: TomlPath, text: string): string => {
    const place = positionInToml(live.text, path);
    return place === null ? text : `line ${place.line}, column ${place.column}: ${text}`;
  };
  for (const { path, value: left } of removeUnknownKeys(value)) {
    differences.push(
      placed(path, `${path.join('.')} = ${JSON.stringify(left)} is not imported: there is no such key here`),
    );
  }
  value['log_dir'] = '.ao-state';
  differences.push(`log_dir is .ao-state below the staged project, not ${live.logDir}: the live state stays as it is`);
  const bring = (table: Table, key: string, at: TomlPath): void => {
    const given = table[key];
    if (typeof given !== 'string' || isUrl(given)) return;
    const from = resolve(live.dir, given);
    if (!existsSync(from)) return;
    const inside = isBelow(live.dir, from);
    const to = inside ? relative(live.dir, from) : join('prompts', statSync(from).isDirectory() ? '' : 'kickoff.md');
    copies.push({ from, to });
    if (inside && !isAbsolute(given)) return;
    table[key] = to.replace(/\/$/, '');
    differences.push(placed(at, `${at.join('.')} is a copy at ${to}, taken from ${from}`));
  };
  bring(value, 'kickoff', ['kickoff']);
  bring(value, 'roles_dir', ['roles_dir']);
  const keep = (table: Table, key: string, at: TomlPath): void => {
    const given = table[key];
    if (typeof given !== 'string' || isUrl(given) || isAbsolute(given)) return;
    table[key] = resolve(live.dir, given);
    differences.push(placed(at, `${at.join('.')} is written out as ${resolve(live.dir, given)}`));
  };
  keep(value, 'repo', ['repo']);
  if (value['repo'] === undefined && existsSync(join(live.dir, '.git'))) {
    value['repo'] = live.dir;
    differences.push(`repo is ${live.dir}, where agents work without that key`);
  }
  for (const [name, agent] of Object.entries(isTable(value['agents']) ? value['agents'] : {})) {
    if (!isTable(agent)) continue;
    keep(agent, 'dir', ['agents', name, 'dir']);
    if (typeof agent['prompt'] === 'string') bringFile(live.dir, agent['prompt'], copies);
  }
  for (const phase of Array.isArray(value['phases']) ? value['phases'] : [])
    if (isTable(phase) && typeof phase['plan'] === 'string') bringFile(live.dir, phase['plan'], copies);
  if (live.kickoffFile === null && live.python)
    differences.push(
      'kickoff: agents.toml names none, and the text that agents.py adds is not in it; write prompts/kickoff.md, set `kickoff`, and compare it with `seatrial parity`',
    );
  return { text: patch(live.text, value), differences, copies };
}

function bringFile(dir: string, given: string, copies: Translation['copies'][number][]): void {
  const from = resolve(dir, given);
  if (isAbsolute(given) || given.includes('\n') || !isBelow(dir, from)) return;
  if (statSync(from, { throwIfNoEntry: false })?.isFile() === true) copies.push({ from, to: relative(dir, from) });
}

const isBelow = (dir: string, path: string): boolean => path.startsWith(dir + sep);

/** Takes the keys out that this system does not have, and gives them back. */
export function removeUnknownKeys(value: Table): { readonly path: TomlPath; readonly value: unknown }[] {
  return unknownKeys(value).map((path) => ({ path, value: remove(value, path) }));
}

function unknownKeys(value: Table): TomlPath[] {
  const parsed = agentsFile.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)), key])
      : [],
  );
}

function remove(root: Table, path: TomlPath): unknown {
  const parent = path.slice(0, -1).reduce<unknown>((at, part) => (isTable(at) ? at[part] : undefined), root);
  const key = String(path.at(-1));
  if (!isTable(parent)) return undefined;
  const value = parent[key];
  delete parent[key];
  return value;
}
