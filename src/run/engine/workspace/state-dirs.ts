import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../../engines/definition.ts';
import type { Mount } from '../../../confine/types.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { Refused } from '../../../evidence/reasons/refused.ts';
import { git } from '../../../task/git/call.ts';
import { inByteOrder, type TreeEntry, type Tree } from '../../../task/tree/walk.ts';
import type { RunSandbox } from '../../steps/state.ts';

const isIn = (key: string, names: readonly string[]): boolean =>
  names.some((name) => key === name || key.startsWith(`${name}/`));

/** The tree with an engine's own leavings as they were before it came: neither its work nor its fault. */
export function withoutStateDirs(tree: Tree, before: Tree, names: readonly string[]): Tree {
  if (names.length === 0) return tree;
  const others = [...tree.entries].filter(([key]) => !isIn(key, names));
  const asBefore = [...before.entries].filter(([key]) => isIn(key, names));
  return {
    entries: inByteOrder([...others, ...asBefore]),
    faults: tree.faults.filter((fault) => !isIn(fault.path.toString('latin1'), names)),
  };
}

/**
 * Settings in a repository that an engine would obey are shown to it as empty directories and files. Git is told not to look there, or an agent that
 * commits all there is would commit their loss.
 */
export async function hideSettings(
  { name: engine, hides }: Engine,
  base: Tree,
  { workspace, confinement }: RunSandbox,
  emptyDir: string,
): Promise<Mount[]> {
  const present = hides.flatMap((name) => base.entries.get(name) ?? []);
  if (present.length === 0) return [];
  if (confinement.kind === 'none') throw new Refused(reason('settings_not_hidden', { engine }));
  const odd = present.find((entry) => entry.kind === 'link');
  if (odd !== undefined) throw new Refused(reason('settings_not_a_dir', { path: odd.path.toString(), engine }));
  mkdirSync(join(emptyDir, 'dir'), { mode: 0o755, recursive: true });
  writeFileSync(join(emptyDir, 'file.json'), '{}\n');
  writeFileSync(join(emptyDir, 'file'), '');
  const hidden = [...base.entries.values()].filter(
    (entry) => entry.kind !== 'dir' && isIn(entry.path.toString('latin1'), hides),
  );
  const call = { gitDir: `${workspace.source}/.git`, workTree: workspace.source, cwd: workspace.source };
  const input = Buffer.concat(hidden.flatMap((entry) => [entry.path, Buffer.alloc(1)]));
  await git(['update-index', '-z', '--skip-worktree', '--stdin'], { ...call, input });
  return present.map((entry) => ({
    source: join(emptyDir, emptyFormOf(entry)),
    target: `${workspace.target}/${entry.path.toString()}`,
    mode: 'ro',
  }));
}

/** An empty file is no JSON, which some programs refuse to start with. */
function emptyFormOf({ kind, path }: TreeEntry): string {
  if (kind === 'dir') return 'dir';
  return /\.jsonc?$/.test(path.toString()) ? 'file.json' : 'file';
}
