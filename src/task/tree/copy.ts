import { copyFileSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { pathText } from '../../kernel/path-text.ts';
import { namesIn } from './walk.ts';

/**
 * Copies a directory; links stay links. Node's `cp` is lazily loaded, which takes longer than the copying, and its `readdir` garbles
 * paths that are not UTF-8.
 */
export function copyTree(from: string | Buffer, to: string | Buffer): void {
  mkdirSync(to);
  for (const name of namesIn(Buffer.from(from), Number.MAX_SAFE_INTEGER)) {
    const [source, target] = [below(from, name), below(to, name)];
    const stat = lstatSync(source);
    if (stat.isDirectory()) copyTree(source, target);
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
    else if (stat.isFile()) copyFileSync(source, target);
    else throw new Error(`${pathText(source)} is not a file, directory or link`);
  }
}

const below = (dir: string | Buffer, name: Buffer): Buffer => Buffer.concat([Buffer.from(dir), Buffer.from('/'), name]);
