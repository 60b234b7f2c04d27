import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs';

/**
 * Takes a tree that a confined command wrote: it belongs to the caller, everyone may read it and nobody else may write it. Follows no
 * link; no process that could write there may be left.
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
