import picomatch from 'picomatch';
import { joinPaths, parentOf, stemOf } from '../../path-parts.ts';
import { inTestDir, isTestName } from '../../test-names.ts';
import type { JavaScriptPackage } from './package.ts';
import { inSideDir } from '../packages.ts';
import { filesNamed, MODULE_EXTENSIONS } from './resolve.ts';
import type { Sources } from '../sources.ts';

const CONVENTIONAL = ['index', 'main', 'app', 'server', 'cli', 'mod'];
export const SOURCE_DIRS = ['src', 'source', 'sources', 'lib', 'app', 'ts'];
const OUTPUT_ENDING =
  /(?:\.d)?(?:\.(?:min|umd|esm?|cjs|mjs|common|global|iife|browser|node|production|development|bundle))*\.[cm]?[jt]sx?$/;

/** The sources at which a package's product begins. */
export function entryFiles(sources: Sources, one: JavaScriptPackage): readonly string[] {
  const named = one.entries.flatMap((target) => entryFor(sources, one, target));
  const found = named.length > 0 ? named : conventionalEntries(sources, one.dir);
  return [...new Set(found)].filter((path) => !sources.collected.has(path));
}

function entryFor(sources: Sources, { dir, name }: JavaScriptPackage, target: string): readonly string[] {
  const path = joinPaths(dir, target);
  if (path === null || target.endsWith('package.json')) return [];
  if (target.includes('*')) return matching(sources, dir, target);
  const direct = filesNamed(path, sources.index.files);
  // Built output that is tracked has its sources beside it all the same.
  const mapped = direct.length === 0 || isOutput(target) ? sourcesOfOutput(sources, dir, target, name) : [];
  return [...direct, ...mapped];
}

export const isOutput = (target: string): boolean =>
  /^(?:\.\/)?(?:dist|build|out|output|es|esm|cjs|umd|bundle|release)\//.test(target);

/** `dist/x.js` is made from `src/x.ts`, or from whatever stands there under that name. */
export function sourcesOfOutput(
  { index }: Sources,
  dir: string,
  target: string,
  name: string | null,
): readonly string[] {
  const parts = (joinPaths('', target) ?? target).replace(OUTPUT_ENDING, '').split('/');
  const stems = parts.map((_part, at) => parts.slice(at).join('/')).slice(parts.length > 1 ? 1 : 0);
  const places = [...SOURCE_DIRS, ''].map((place) => joinPaths(dir, place) ?? dir);
  const guesses = [...stems, ...(name === null ? [] : [name.replace(/^@[^/]*\//, '')]), 'index', 'main'];
  for (const stem of guesses)
    for (const place of places) {
      const path = joinPaths(place, stem);
      const found = path === null ? [] : filesNamed(path, index.files);
      if (found.length > 0) return found;
    }
  return [];
}

/** `./features/*.js`, also where only the sources of that output are in the tree. */
function matching({ index }: Sources, dir: string, target: string): readonly string[] {
  const glob = joinPaths('', target) ?? target;
  const parts = glob.replace(/\.(?:d\.)?[cm]?[jt]sx?$/, '').split('/');
  const prefix = dir === '' ? '' : `${dir}/`;
  const endings = `.{${MODULE_EXTENSIONS.join(',')}}`;
  const globs = [glob, ...SOURCE_DIRS.map((place) => `${[place, ...parts.slice(1)].join('/')}${endings}`)];
  for (const one of globs) {
    const fits = picomatch(one.replaceAll(/\*+/g, '**'), { dot: false, flags: 's' });
    const found = [...index.files].filter((path) => path.startsWith(prefix) && fits(path.slice(prefix.length)));
    const product = found.filter(
      (path) => isModule(path) && !isTestName(path) && !inTestDir(path.slice(prefix.length)),
    );
    if (product.length > 0) return product;
  }
  return [];
}

/** A pattern over the whole package also matches its settings and documents. */
const isModule = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) && !/(?:\.config|rc)\.\w+$/.test(path) && !inSideDir(path);

function conventionalEntries({ index, tree }: Sources, dir: string): readonly string[] {
  const page = joinPaths(dir, 'index.html') ?? '';
  const places = ['', ...SOURCE_DIRS].map((place) => joinPaths(dir, place) ?? dir);
  const files = places.flatMap((place) =>
    CONVENTIONAL.flatMap((name) => filesNamed(joinPaths(place, name) ?? name, index.files)),
  );
  const programs = tree.paths.filter(
    (path) => parentOf(path) === (joinPaths(dir, 'bin') ?? 'bin') && stemOf(path) !== 'README',
  );
  return [...files, ...programs, ...(index.files.has(page) ? [page] : [])];
}
