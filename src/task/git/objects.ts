/*
 * Git object ids by hand: they are computed from bytes that the harness read itself, so that no repository and no git program is trusted for them.
 */
import { createHash } from 'node:crypto';
import type { TreeEntry } from '../tree/walk.ts';

export type ObjectType = 'blob' | 'tree' | 'commit';

/** Stores an object and returns its id. */
export type Keep = (type: ObjectType, content: Uint8Array) => string;

/** Computes git object ids from bytes that the harness read itself, so that no repository has to be trusted. */
export const objectId: Keep = (type, content) => idOf(type, content.length, [content]);

/** The id of a file that is too large for memory. */
export function blobId(bytes: number, chunks: Iterable<Uint8Array>): string {
  return idOf('blob', bytes, chunks);
}

function idOf(type: ObjectType, bytes: number, chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha1').update(`${type} ${bytes}\0`);
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

interface Dir {
  readonly dirs: Map<string, Dir>;
  readonly leaves: Map<string, { readonly mode: GitMode; readonly id: string }>;
}

type Leaf = Exclude<TreeEntry, { kind: 'dir' }>;
type FileLeaf = Extract<TreeEntry, { kind: 'file' }>;

export type GitMode = '100644' | '100755' | '120000';

export function modeOf(leaf: Leaf): GitMode {
  if (leaf.kind === 'link') return '120000';
  return leaf.executable ? '100755' : '100644';
}

/** One line of a git tree. */
export interface TreeRow {
  readonly name: string;
  readonly mode: GitMode | '40000';
  readonly id: string;
}

/** The id of the git tree with exactly these files and links. `file` returns a file's id. `onDir` is told the ids of its directories. */
export function treeId(
  leaves: Iterable<Leaf>,
  file: (leaf: FileLeaf) => string,
  keep: Keep = objectId,
  onDir: (path: string, id: string) => void = () => {},
): string {
  const root: Dir = { dirs: new Map(), leaves: new Map() };
  for (const leaf of leaves) {
    const parts = leaf.path.toString('latin1').split('/');
    const name = parts.pop() ?? '';
    const id = leaf.kind === 'link' ? keep('blob', leaf.target) : file(leaf);
    dirAt(root, parts).leaves.set(name, { mode: modeOf(leaf), id });
  }
  return dirId(root, '', keep, onDir);
}

function dirAt(root: Dir, parts: readonly string[]): Dir {
  let at = root;
  for (const part of parts) {
    const next = at.dirs.get(part) ?? { dirs: new Map(), leaves: new Map() };
    at.dirs.set(part, next);
    at = next;
  }
  return at;
}

function dirId(dir: Dir, path: string, keep: Keep, onDir: (path: string, id: string) => void): string {
  const subs = [...dir.dirs].map(([name, sub]): TreeRow => {
    const below = path === '' ? name : `${path}/${name}`;
    const id = dirId(sub, below, keep, onDir);
    onDir(below, id);
    return { name, mode: '40000', id };
  });
  return keep('tree', treeContent([...Array.from(dir.leaves, ([name, leaf]) => ({ name, ...leaf })), ...subs]));
}

/** Names are latin1, one character per byte, so that text sorts as bytes do. */
export function treeContent(rows: readonly TreeRow[]): Buffer {
  const orderOf = ({ name, mode }: TreeRow): string => (mode === '40000' ? `${name}/` : name);
  const sorted = rows.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return Buffer.concat(
    sorted.map(({ mode, name, id }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
    ),
  );
}
