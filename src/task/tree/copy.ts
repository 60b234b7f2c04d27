import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { pathText } from '../../kernel/path-text.ts';
import { namesIn } from './walk.ts';

/**
 * Copies a directory; links stay links. Node's `cp` is lazily loaded, which takes longer than the copying, and its `readdir` garbles
 * paths that are not UTF-8.
 */
export function copyTree(from: string | Buffer, to: string | Buffer): void {
  layTree(from, to, (source, target) => copyFileSync(source, target));
}

/**
 * A second tree of the same files, which costs no copy of their bytes. Only for trees that the harness alone can reach, and in which it
 * replaces files and never writes into one: that would change both.
 */
export function shareTree(from: string | Buffer, to: string | Buffer): void {
  layTree(from, to, linkOrCopy);
}

/** A copy that its owner can write, whatever the modes of the original, with the times of its files. `to` may be there, empty. */
export function copyWritable(from: string, to: string): void {
  layTree(from, to, (source, target, stat) => {
    copyFileSync(source, target);
    chmodSync(target, stat.mode | 0o200);
    utimesSync(target, stat.atime, stat.mtime);
  });
}

type LayFile = (source: Buffer, target: Buffer, stat: Stats) => void;

function layTree(from: string | Buffer, to: string | Buffer, layFile: LayFile): void {
  mkdirSync(to, { recursive: true });
  for (const name of namesIn(Buffer.from(from), Number.MAX_SAFE_INTEGER)) {
    const [source, target] = [below(from, name), below(to, name)];
    const stat = lstatSync(source);
    if (stat.isDirectory()) layTree(source, target, layFile);
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
    else if (stat.isFile()) layFile(source, target, stat);
    else throw new Error(`${pathText(source)} is not a file, directory or link`);
  }
}

/** Some file systems have no links, and each has a limit of them. */
function linkOrCopy(source: Buffer, target: Buffer): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

const below = (dir: string | Buffer, name: Buffer): Buffer => Buffer.concat([Buffer.from(dir), Buffer.from('/'), name]);
