import { createHash } from 'node:crypto';
import type { TreeEntry } from '../task/tree.ts';

/** Git's object ids, worked out by us from what we read ourselves, so that no repository has to be believed. */
export function objectId(type: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly leaves: Map<string, { readonly mode: string; readonly id: string }>;
}

/** The id of the git tree that holds exactly these files and links. `read` gives a file's bytes. */
export function treeId(entries: Iterable<TreeEntry>, read: (path: Buffer) => Buffer): string {
  const root: Folder = { folders: new Map(), leaves: new Map() };
  for (const entry of entries) {
    if (entry.kind === 'dir') continue;
    const parts = entry.path.toString('latin1').split('/');
    const name = parts.pop() ?? '';
    const mode = entry.kind === 'link' ? '120000' : entry.executable ? '100755' : '100644';
    folderAt(root, parts).leaves.set(name, {
      mode,
      id: objectId('blob', entry.kind === 'link' ? entry.target : read(entry.path)),
    });
  }
  return folderId(root);
}

function folderAt(root: Folder, parts: readonly string[]): Folder {
  let at = root;
  for (const part of parts) {
    const next = at.folders.get(part) ?? { folders: new Map(), leaves: new Map() };
    at.folders.set(part, next);
    at = next;
  }
  return at;
}

function folderId(folder: Folder): string {
  const rows = [
    ...[...folder.leaves].map(([name, leaf]) => ({ name, order: name, mode: leaf.mode, id: leaf.id })),
    ...[...folder.folders].map(([name, sub]) => ({ name, order: `${name}/`, mode: '40000', id: folderId(sub) })),
  ].sort((a, b) => Buffer.compare(Buffer.from(a.order, 'latin1'), Buffer.from(b.order, 'latin1')));
  const body = rows.map((row) =>
    Buffer.concat([Buffer.from(`${row.mode} ${row.name}\0`, 'latin1'), Buffer.from(row.id, 'hex')]),
  );
  return objectId('tree', Buffer.concat(body));
}
