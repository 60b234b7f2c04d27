import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Detects changes below a directory without reading files: programs cannot set the ctime, so every change alters the fingerprint. */
export function statFingerprint(dir: string, parts: readonly string[]): string {
  const hash = createHash('sha256');
  // Names are latin1, one character per byte. Lines are hashed by the directory: one call for each would take longer than all else.
  const visit = (path: string): string => {
    const stat = lstatSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false });
    if (stat === undefined) return '';
    const { mode, uid, ino, size, mtimeMs, ctimeMs } = stat;
    const line = `${path.slice(start)}\0${mode} ${uid} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`;
    if (!stat.isDirectory()) return line;
    hash.update(line, 'latin1');
    let lines = '';
    for (const name of readdirSync(Buffer.from(path, 'latin1'), { encoding: 'latin1' }).sort())
      lines += visit(`${path}/${name}`);
    hash.update(lines, 'latin1');
    return '';
  };
  const start = Buffer.byteLength(dir);
  for (const part of parts) hash.update(visit(Buffer.from(join(dir, part)).toString('latin1')), 'latin1');
  return hash.digest('hex');
}
