import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { pathNameBytes } from '../../deciding/path-name.ts';

// Changes single files of a tree. Paths never lead out of it: links of the tree are replaced, not followed.

const placeOf = (dir: string, path: string): Buffer => Buffer.concat([Buffer.from(`${dir}/`), pathNameBytes(path)]);

export function removeFile(dir: string, path: string): void {
  rmSync(clearWay(dir, path), { recursive: true, force: true });
}

export function writeFile(dir: string, path: string, text: string): void {
  const target = clearWay(dir, path);
  rmSync(target, { recursive: true, force: true });
  writeFileSync(target, text, { flag: 'wx' });
}

/** Puts the file or link of another tree in its place; where that has none, the path is removed. */
export function layFile(dir: string, fromDir: string, path: string): void {
  const source = placeOf(fromDir, path);
  const stat = isBelowDirs(fromDir, path) ? lstatSync(source, { throwIfNoEntry: false }) : undefined;
  const target = clearWay(dir, path);
  rmSync(target, { recursive: true, force: true });
  if (stat === undefined || stat.isDirectory()) return;
  if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
  copyFileSync(source, target);
  chmodSync(target, stat.mode & 0o777);
}

/** Where a tree has a file or a link above the path, it has nothing at it, wherever the link leads. */
function isBelowDirs(dir: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  return parts.every(
    (_, at) =>
      lstatSync(placeOf(dir, parts.slice(0, at + 1).join('/')), { throwIfNoEntry: false })?.isDirectory() === true,
  );
}

/** Makes every directory above the path a real one: where the tree has a link or a file, that goes. */
function clearWay(dir: string, path: string): Buffer {
  const parts = path.split('/').slice(0, -1);
  for (let end = 1; end <= parts.length; end += 1) {
    const place = placeOf(dir, parts.slice(0, end).join('/'));
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) continue;
    if (stat !== undefined) rmSync(place);
    mkdirSync(place);
  }
  return placeOf(dir, path);
}
