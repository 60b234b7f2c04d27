import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs';

/**
 * Takes ownership of a tree that a confined command wrote: readable by all, writable only by the caller. Follows no
 * links; no process that could write to it may be left.
 */
export function takeTree(path: string): void {
  const isRoot = process.getuid?.() === 0;
  const visit = (name: Buffer): void => {
    const stat = lstatSync(name);
    if (isRoot) lchownSync(name, 0, 0);
    if (stat.isSymbolicLink()) return;
    chmodSync(name, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
    if (!stat.isDirectory()) return;
    for (const entry of readdirSync(name, { encoding: 'buffer' })) {
      visit(Buffer.concat([name, Buffer.from('/'), entry]));
    }
  };
  visit(Buffer.from(path));
}
