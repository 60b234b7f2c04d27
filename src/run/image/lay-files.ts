import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import picomatch from 'picomatch';
import { SeatrialError } from '../../kernel/errors.ts';
import { type ImagePlace, inWorkspace } from './places.ts';
import type { CopyStep } from './stand-in.ts';

export interface FilesToLay {
  readonly contextDir: string;
  readonly copies: readonly CopyStep[];
  /** Empty directories, as seen inside. */
  readonly dirs: readonly string[];
  readonly executables: readonly string[];
  readonly places: readonly ImagePlace[];
}

/** Does what the `COPY` instructions of a Dockerfile do, into a workspace. `to` is there and empty. */
export function layFiles({ contextDir, copies, dirs, executables, places }: FilesToLay, to: string): void {
  const isIgnored = ignoredBy(contextDir);
  const inside = (path: string): string | null => {
    const below = inWorkspace(path, places);
    return below === null ? null : join(to, below);
  };
  for (const { dir } of places) mkdirSync(join(to, dir), { recursive: true });
  for (const dir of dirs) {
    const path = inside(dir);
    if (path !== null) mkdirSync(path, { recursive: true });
  }
  for (const step of copies) {
    const target = inside(step.to.replace(/(?<=.)\/$/, ''));
    if (target === null) continue;
    const isDir = step.to.endsWith('/') || isDirectory(target);
    if (step.heredoc !== null) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, step.heredoc);
    }
    for (const pattern of step.from) {
      const found = sourcesOf(contextDir, pattern, isIgnored);
      if (found.length === 0)
        throw new SeatrialError('usage', `COPY ${pattern}: there is no such file in ${contextDir}`);
      for (const name of found) layOne(contextDir, name, target, isDir || found.length > 1, isIgnored);
    }
  }
  for (const file of executables) {
    const path = inside(file);
    if (path !== null && existsSync(path)) chmodSync(path, 0o755);
  }
}

/** A directory gives its content; a file goes into a directory, or takes the name it is given. */
function layOne(
  context: string,
  name: string,
  target: string,
  intoDir: boolean,
  isIgnored: (path: string) => boolean,
): void {
  const source = join(context, name);
  if (isDirectory(source)) return layBelow(context, name, target, isIgnored);
  const path = intoDir ? join(target, posix.basename(name)) : target;
  mkdirSync(dirname(path), { recursive: true });
  layEntry(source, path);
}

function layBelow(context: string, name: string, target: string, isIgnored: (path: string) => boolean): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(join(context, name))) {
    const path = posix.join(name, entry);
    if (isIgnored(path)) continue;
    const source = join(context, path);
    if (lstatSync(source).isDirectory()) layBelow(context, path, join(target, entry), isIgnored);
    else layEntry(source, join(target, entry));
  }
}

function layEntry(source: string, target: string): void {
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else copyFileSync(source, target);
}

/** Files and directories of the context that a path or pattern names. None leads out of the context. */
function sourcesOf(context: string, pattern: string, isIgnored: (path: string) => boolean): readonly string[] {
  const clean = posix.relative('/', posix.resolve('/', pattern));
  if (!/[*?[]/.test(clean)) return existsSync(join(context, clean)) ? [clean] : [];
  const matches = picomatch(clean, { dot: true });
  const dir = posix.dirname(clean);
  if (/[*?[]/.test(dir) || !isDirectory(join(context, dir))) return [];
  return readdirSync(join(context, dir))
    .map((name) => posix.join(dir, name))
    .filter((name) => matches(name) && !isIgnored(name))
    .sort();
}

/** What `.dockerignore` keeps out of the build context; the last matching line counts. */
function ignoredBy(context: string): (path: string) => boolean {
  const file = join(context, '.dockerignore');
  if (!existsSync(file)) return () => false;
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = posix.relative('/', posix.resolve('/', line.replace(/^!/, '')));
      return { keeps: line.startsWith('!'), matches: picomatch([pattern, `${pattern}/**`], { dot: true }) };
    });
  return (path) => rules.findLast(({ matches }) => matches(path))?.keeps === false;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
