import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import type { CutoverPlan } from './schema.ts';

/** What a unit starts, followed through the scripts that start each other. */
export interface BootChain {
  readonly files: readonly string[];
  readonly shim: string;
  readonly kind: CutoverPlan['shim_kind'];
  readonly start: CutoverPlan['start'];
}

const INTERPRETERS = /^(env|sh|bash|dash|python3?(\.\d+)?|node)$/;
const MAX_LENGTH = 10;

/** What a unit starts, as its file says now. */
export function unitCommand(unit: string, env: NodeJS.ProcessEnv): CutoverPlan['start'] {
  const text = readScript(unit);
  const value = (key: string): string | null => new RegExp(`^${key}\\s*=\\s*(.*)$`, 'm').exec(text)?.[1] ?? null;
  const argv = unitWords(value('ExecStart')?.replace(/^[-@:+!]+/, '') ?? '', env);
  if (argv.length === 0)
    throw new SeatrialError('usage', `${unit} has no ExecStart; name the unit that starts the live project`);
  const pairs = [...text.matchAll(/^Environment\s*=\s*(.*)$/gm)].flatMap(([, line = '']) => unitWords(line, env));
  return {
    argv,
    cwd: value('WorkingDirectory')?.replaceAll('%h', env['HOME'] ?? '') ?? '/',
    env: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
    ),
  };
}

/** Throws with what to name by hand where a script cannot be followed. Reads files and runs nothing. */
export function followUnit(unit: string, shim: string | undefined, env: NodeJS.ProcessEnv): BootChain {
  const start = unitCommand(unit, env);
  const { argv } = start;
  if (startsAgents(argv)) return { files: [unit], shim: unit, kind: 'unit', start };
  const files = [unit];
  let at = scriptOf(argv, start.cwd);
  while (at !== null && files.length < MAX_LENGTH) {
    files.push(at);
    const named = shim === undefined ? null : resolve(shim);
    if (named === at || (named === null && isShim(at))) return { files, shim: at, kind: kindOf(at), start };
    at = named !== null && mentions(at, start.cwd).includes(named) ? named : onlyNext(at, start.cwd, files, named);
  }
  throw new SeatrialError(
    'usage',
    `${files.at(-1)} cannot be followed to a script that starts the agents (${files.join(' → ')}); name that script with --shim <file>`,
  );
}

function scriptOf(argv: readonly string[], cwd: string): string | null {
  const first = argv.find(
    (word, index) =>
      !(index === 0 && INTERPRETERS.test(basename(word))) && !word.startsWith('-') && !word.includes('='),
  );
  const path = first === undefined ? null : resolve(cwd, first);
  return path !== null && isScript(path) ? path : null;
}

/** `agents.py up`, `seatrial up`. */
function startsAgents(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(agents\.py|seatrial(\.js)?)$/.test(basename(word)));
  return at !== -1 && words.slice(at + 1).includes('up');
}

/** A script with a line that starts the agents itself, in shell or as a list of words in Python. */
function isShim(path: string): boolean {
  return readScript(path)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .some((line) => startsAgents(line.split(/[\s"'[\](),;]+/).filter((word) => word !== '')));
}

function onlyNext(path: string, cwd: string, seen: readonly string[], named: string | null): string | null {
  const next = mentions(path, cwd).filter((one) => !seen.includes(one));
  if (next.length === 1) return next[0] ?? null;
  const what = next.length === 0 ? 'names no other script' : `names ${next.length} scripts (${next.join(', ')})`;
  const hint =
    named === null ? 'name the one that starts the agents with --shim <file>' : `it does not lead to ${named}`;
  throw new SeatrialError('usage', `${path} ${what}; ${hint}`);
}

/** Scripts that a script names by an absolute path, or by a path below its own directory or the working directory. */
function mentions(path: string, cwd: string): string[] {
  const text = readScript(path)
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n');
  const words = text.match(/[\w./+-]*[\w+-]\/?[\w./+-]+|[\w.+-]+/g) ?? [];
  const found = words.flatMap((word) => {
    const tail = word.replace(/^\/+/, '');
    const candidates = isAbsolute(word)
      ? [word, resolve(dirname(path), tail)]
      : [resolve(dirname(path), word), resolve(cwd, word)];
    return candidates.filter((one) => one !== path && isScript(one)).slice(0, 1);
  });
  return [...new Set(found)];
}

function isScript(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size > 1024 * 1024) return false;
  return /\.(sh|py)$/.test(path) || readFileSync(path).subarray(0, 2).toString('latin1') === '#!';
}

const kindOf = (path: string): CutoverPlan['shim_kind'] =>
  path.endsWith('.py') || /^#!.*python/.test(readScript(path)) ? 'python' : 'shell';

function readScript(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SeatrialError('usage', `${path} cannot be read: ${messageOf(error)}`, error);
  }
}

/** Words of a unit's line, with its quotes and the specifiers that say where a user lives. */
function unitWords(line: string, env: NodeJS.ProcessEnv): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    (double?.replaceAll(/\\(.)/g, '$1') ?? single ?? plain ?? '')
      .replaceAll('%h', env['HOME'] ?? '')
      .replaceAll('%%', '%')
      .replaceAll('$$', '$'),
  );
}
