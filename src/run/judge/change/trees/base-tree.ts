import { readFileSync } from 'node:fs';
import { type Tree, walkTree } from '../../../../task/tree/walk.ts';
import type { BaseTree } from '../../deciding/facts.ts';
import { pathName } from '../../deciding/path-name.ts';

/** Larger files are not read to find out what they are. */
const MAX_READ_BYTES = 1024 * 1024;

/** A tree on disk as `deciding/` and `manifests/` look at it. */
export interface ReadableTree extends BaseTree {
  readonly dir: string;
  readonly walked: Tree;
}

/** `walked`: what a walk of it found, if there was one. */
export function readTree(dir: string, walked: Tree = walkTree(dir, { skipTopGit: true })): ReadableTree {
  const files = new Map<string, { readonly path: Buffer; readonly bytes: number }>();
  const links = new Map<string, string>();
  for (const entry of walked.entries.values()) {
    if (entry.kind === 'file') files.set(pathName(entry.path), entry);
    if (entry.kind === 'link') links.set(pathName(entry.path), pathName(entry.target));
  }
  const texts = new Map<string, string | null>();
  const read = (path: string): string | null => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const file = files.get(path);
    const text = file === undefined || file.bytes > MAX_READ_BYTES ? null : readText(dir, file.path);
    texts.set(path, text);
    return text;
  };
  return { dir, walked, paths: [...files.keys(), ...links.keys()], links, read };
}

const readText = (dir: string, path: Buffer): string =>
  readFileSync(Buffer.concat([Buffer.from(`${dir}/`), path])).toString('utf8');
