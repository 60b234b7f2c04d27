import { copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { pathText } from '../../kernel/path-text.ts';

/** Copies a directory; links stay links. Node's `cp` is lazily loaded, which takes longer than the copying. */
export function copyTree(from: string | Buffer, to: string | Buffer): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true, encoding: 'buffer' })) {
    const [source, target] = [below(from, entry.name), below(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
    else if (entry.isFile()) copyFileSync(source, target);
    else throw new Error(`${pathText(source)} is not a file, directory or link`);
  }
}

const below = (dir: string | Buffer, name: Buffer): Buffer => Buffer.concat([Buffer.from(dir), Buffer.from('/'), name]);
