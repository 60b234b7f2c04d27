import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { unpackTree } from '../tree/unpack.ts';
import { git, type GitCall } from './call.ts';

/** A path that differs between two git trees. */
export interface TreeChange {
  readonly path: Buffer;
  readonly added: boolean;
  readonly removed: boolean;
}

/** The same with what the later tree has there. */
interface RawChange extends TreeChange {
  readonly mode: string;
  readonly id: string;
}

const LAY_TIMEOUT_MS = 600_000;

/** Paths that differ between two trees or commits. */
export async function changesBetween(call: GitCall, before: string, after: string): Promise<readonly TreeChange[]> {
  return (await rawChanges(call, before, after)).map(({ path, added, removed }) => ({ path, added, removed }));
}

/**
 * Lays the files that the later of two trees or commits has at the paths where they differ, and nothing else, into a directory that is not
 * there yet. `call`: with attributes that keep every file as it is. `scratch`: a directory of our own.
 */
export async function layChanges(
  call: GitCall,
  { before, after }: { readonly before: string; readonly after: string },
  target: string,
  scratch: string,
): Promise<readonly TreeChange[]> {
  const changes = await rawChanges(call, before, after);
  const own = {
    ...call,
    timeoutMs: LAY_TIMEOUT_MS,
    env: { ...call.env, GIT_INDEX_FILE: join(scratch, 'changed-index') },
  };
  const rows = changes.flatMap(({ path, mode, id, removed }) =>
    removed ? [] : [Buffer.from(`${mode} ${id}\t`), path, Buffer.alloc(1)],
  );
  await git(['read-tree', '--empty'], own);
  if (rows.length > 0) await git(['update-index', '-z', '--index-info'], { ...own, input: Buffer.concat(rows) });
  const tree = (await git(['write-tree', '--missing-ok'], own)).toString('utf8').trim();
  const archive = join(scratch, 'changed.tar');
  await git(['archive', '--format=tar', `--output=${archive}`, tree], own);
  unpackTree(archive, target);
  rmSync(archive);
  return changes;
}

/** `:<mode> <mode> <id> <id> <status>`, then the path. */
const ROW = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) ([A-Z])/;

async function rawChanges(call: GitCall, before: string, after: string): Promise<readonly RawChange[]> {
  const output = await git(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--full-index', before, after], call);
  const fields = output.toString('latin1').split('\0').slice(0, -1);
  return fields.flatMap((row, at) => {
    const [, mode = '', id = '', status = ''] = at % 2 === 0 ? (ROW.exec(row) ?? []) : [];
    const path = Buffer.from(fields[at + 1] ?? '', 'latin1');
    return status === '' ? [] : [{ path, mode, id, added: status === 'A', removed: status === 'D' }];
  });
}
