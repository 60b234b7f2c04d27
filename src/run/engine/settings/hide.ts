import { existsSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from '../../../confine/types.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { Refused } from '../../../evidence/reasons/refused.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { pathBelow, pathText } from '../../../kernel/path-text.ts';
import { git } from '../../../task/git/call.ts';
import { rowsBelow } from '../../../task/tree/layered/search.ts';
import { type Tree, type TreeEntry, walkTree } from '../../../task/tree/walk.ts';
import type { Run, RunSandbox } from '../../steps/state.ts';
import { seenByGit } from '../../patch/write.ts';
import { settingsInTrees } from '../../review/shown-trees.ts';
import { decideSettings } from './decide.ts';
import { listMcpServers } from './mcp-servers.ts';

/** More than any honest repository has; each takes a mount. */
const MAX_SETTINGS = 200;

/** Settings of the repository that the engine is not shown. */
export interface HiddenSettings {
  readonly entries: readonly TreeEntry[];
  /** Links among them, which are replaced in the workspace because nothing can be mounted over a link. */
  readonly links: readonly string[];
}

/** Decides which settings of the repository the engine may see, and records it. */
export function recordSettings(run: Run, base: Tree, { workspaceFiles, confinement }: RunSandbox): HiddenSettings {
  const { engine, repoSettings = {}, shows } = run.request;
  const own = decideSettings(base, engine.hides, repoSettings);
  const found = [...own, ...settingsInTrees(shows?.trees ?? [], engine.hides)];
  if (found.length === 0) return { entries: [], links: [] };
  if (found.length > MAX_SETTINGS)
    throw new Refused(reason('too_many_settings', { engine: engine.name, n: MAX_SETTINGS }));
  const hidden = found.filter(({ setting }) => setting.state !== 'shown').map(({ entry }) => entry);
  if (hidden.length > 0 && confinement.kind === 'none')
    throw new Refused(reason('settings_not_hidden', { engine: engine.name }));
  const servers = listMcpServers(own, engine.mcpServersIn ?? {}, base, workspaceFiles.dir);
  run.log.append('repository_settings.checked', 'harness', {
    settings: found.map(({ setting }) => ({ ...setting, path: run.mask.text(setting.path) })),
    unreachable_mcp_servers: servers.map((server) => ({
      name: run.mask.text(server.name),
      configured_in: run.mask.text(server.configured_in),
    })),
  });
  const links = hidden.filter(({ kind }) => kind === 'link').map(({ path }) => path.toString('latin1'));
  return { entries: hidden, links };
}

/** Puts an empty file or directory in the place of each hidden link. The frozen tree has the link again. */
export function replaceLinks({ entries }: HiddenSettings, workspace: string): void {
  for (const entry of entries.filter(({ kind }) => kind === 'link')) {
    const path = pathBelow(workspace, entry.path);
    unlinkSync(path);
    if (emptyContentOf(entry) === null) mkdirSync(path);
    else writeFileSync(path, '');
  }
}

/** In the scratch directory: what the engine is shown instead of hidden settings. */
export const HIDDEN_DIR = 'hidden';

/**
 * Mounts an empty file or directory over each hidden setting. Agents end where they cannot write their own state there, so they can, and
 * what they write is lost. Git is told not to look there, or an agent that commits all there is would commit the loss of the settings.
 */
export async function hideSettings(
  { entries }: HiddenSettings,
  base: Tree,
  { workspace, workspaceFiles, confinement }: RunSandbox,
  dir: string,
): Promise<Mount[]> {
  if (entries.length === 0) return [];
  mkdirSync(dir);
  const mounts = entries.map((entry, index): Mount => {
    const source = join(dir, `${index}`);
    const content = emptyContentOf(entry);
    if (content === null) mkdirSync(source);
    else writeFileSync(source, content);
    return { source, target: `${workspace.target}/${entry.path.toString()}`, mode: 'rw' };
  });
  confinement.give(dir);
  const keys = entries.map(({ path }) => path.toString('latin1'));
  const tracked = keys.flatMap((key) => rowsBelow(base.entries, key)).filter(([, { kind }]) => kind !== 'dir');
  const seen = seenByGit(confinement, workspaceFiles.dir);
  const call = { ...seen, gitDir: `${seen.workTree}/.git`, cwd: seen.workTree };
  const input = Buffer.concat(tracked.flatMap(([, { path }]) => [path, Buffer.alloc(1)]));
  await git(['update-index', '-z', '--skip-worktree', '--stdin'], { ...call, input });
  return mounts;
}

const MAX_WRITTEN = 1000;

/** The paths at which the engine wrote in place of hidden settings: neither its work nor its fault. */
export function writtenOverHidden({ entries }: HiddenSettings, dir: string): readonly string[] {
  if (entries.length === 0 || !existsSync(dir)) return [];
  const written = walkTree(dir, { installed: true, maxEntries: MAX_WRITTEN });
  return [...written.entries.values()].flatMap((found) => {
    const [index = '', ...below] = pathText(found.path).split('/');
    const entry = entries[Number(index)];
    if (entry === undefined || found.kind === 'dir') return [];
    const isUntouched =
      below.length === 0 && found.kind === 'file' && found.sha256 === sha256(emptyContentOf(entry) ?? '');
    return isUntouched ? [] : [[pathText(entry.path), ...below].join('/')];
  });
}

/** Null: a directory. What a link leads to is not looked up; names with an extension are files. Some programs refuse an empty file as JSON. */
function emptyContentOf({ kind, path }: TreeEntry): string | null {
  const name = path.toString('latin1');
  if (kind === 'dir' || (kind === 'link' && !/[^/]\.\w+$|\.env$/.test(name))) return null;
  return /\.jsonc?$/.test(name) ? '{}\n' : '';
}
