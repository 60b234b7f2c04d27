import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Detects changes below a directory without reading files: programs cannot set the ctime, so every change alters the fingerprint. */
export function statFingerprint(dir: string, parts: readonly string[]): string {
  const hash = createHash('sha256');
  const visit = (path: Buffer): void => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    const { mode, uid, ino, size, mtimeMs, ctimeMs } = stat;
    hash.update(path.subarray(dir.length)).update(`\0${[mode, uid, ino, size, mtimeMs, ctimeMs].join(' ')}\n`);
    if (!stat.isDirectory()) return;
    const names = readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare);
    for (const name of names) visit(Buffer.concat([path, Buffer.from('/'), name]));
  };
  for (const part of parts) visit(Buffer.from(join(dir, part)));
  return hash.digest('hex');
}
