import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Distribution, distributionsIn, sitePackages } from './python-lists.ts';

/** What Python runs when it starts. */
const AT_START = /^(?:.*\.pth|(?:site|user)customize(?:\.py)?)$/;
/** The table of entry points by which pytest finds plugins. */
const PLUGINS = /^\[pytest11\]\n(?:(?!\[).*\n?)*/m;

/**
 * Makes an environment that was installed for a change fit to decide: its new packages bring nothing that takes part in running tests.
 * Returns why it cannot be used; empty: it can.
 */
export function settlePython(before: string, after: string): readonly string[] {
  const [ours, theirs] = [sitePackages(before), sitePackages(after)];
  if (ours === null || theirs === null) return [];
  const known = distributionsIn(ours);
  const installed = distributionsIn(theirs);
  const names = new Set(known.map(({ name }) => name));
  for (const { about } of installed.filter((one) => !names.has(one.name))) dropPlugins(join(theirs, about));
  bringLocal(known, ours, theirs);
  return [
    ...readdirSync(theirs)
      .filter((name) => AT_START.test(name) && !existsSync(join(ours, name)))
      .map((name) => `${ownerOf(installed, name)} runs code whenever Python starts (${name})`),
    ...replacedFiles(known, installed, ours, theirs),
  ];
}

function dropPlugins(about: string): void {
  const file = join(about, 'entry_points.txt');
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  if (PLUGINS.test(text)) writeFileSync(file, text.replace(PLUGINS, ''));
}

/** Packages that the setup installed from the tree itself: links to its sources, which no index has. */
function bringLocal(known: readonly Distribution[], ours: string, theirs: string): void {
  for (const { files, about } of known.filter(({ isLocal }) => isLocal))
    for (const path of [...files, about].filter((one) => !one.startsWith('..') && !existsSync(join(theirs, one))))
      if (existsSync(join(ours, path))) cpSync(join(ours, path), join(theirs, path), { recursive: true });
}

const ownerOf = (installed: readonly Distribution[], file: string): string =>
  installed.find(({ files }) => files.includes(file))?.name ?? file;

/** A new package may bring files under the names of others, which pip overwrites without a word. */
function replacedFiles(
  known: readonly Distribution[],
  installed: readonly Distribution[],
  ours: string,
  theirs: string,
): string[] {
  const same = new Set(installed.map(({ about }) => about));
  return known
    .filter(({ about }) => same.has(about))
    .flatMap(({ name, files }) => {
      const differs = files.find((path) => isCode(path) && isReplaced(join(ours, path), join(theirs, path)));
      return differs === undefined ? [] : [`a package of the change replaces ${differs} of ${name}`];
    });
}

const isCode = (path: string): boolean => !/\.pyc$|\.(?:dist|egg)-info\/|^\.\.\/.*\/bin\//.test(path);

function isReplaced(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (a?.isFile() !== true) return false;
  return b?.isFile() !== true || !readFileSync(one).equals(readFileSync(other));
}
