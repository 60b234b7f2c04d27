import { parseJsonc, stringsIn, valueAt } from '../../manifest-text.ts';
import { joinPaths, nameOf, parentOf } from '../../path-parts.ts';
import { settingsRuleOf } from '../../table/table.ts';
import { inTestDir } from '../../test-names.ts';
import { filesNamed, type JavaScriptTree, resolveJavaScript } from './resolve.ts';
import { closureOf, type Sources } from '../sources.ts';

const RUNNER_KEYS = ['jest', 'vitest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'babel', 'jasmine', 'tsd'];
const QUOTED = /["'`]((?:<rootDir>\/)?[\w@./-]+)["'`]/g;

/** Sources that settings of a runner load: what they import, and setup files, environments and plugins that they name. */
export async function loadedBySettings(sources: Sources, tree: JavaScriptTree): Promise<ReadonlySet<string>> {
  const { paths } = sources.tree;
  if (!paths.some((path) => sources.ecosystem(path) === 'javascript')) return new Set();
  const settings = paths.filter((path) => isSettings(path) && !inTestDir(path));
  const named = settings.flatMap((path) => {
    const texts = nameOf(path) === 'package.json' ? runnerTexts(sources.text(path)) : quotedTexts(sources.text(path));
    return texts.flatMap((text) =>
      filesNamed(joinPaths(parentOf(path), text.replace(/^<rootDir>\//, '')) ?? '', sources.index.files),
    );
  });
  const first = new Set([...settings, ...named].filter((path) => sources.ecosystem(path) === 'javascript'));
  const reached = await closureOf([...first], async (path) => {
    if (sources.ecosystem(path) !== 'javascript') return [];
    const imports = await sources.imports(path);
    return imports.flatMap(({ specifier }) => resolveJavaScript(path, specifier, tree).found);
  });
  return new Set([...reached].filter((path) => !settings.includes(path)));
}

/** Not those of compilers and package managers: they name product sources too. */
const OTHER_SETTINGS =
  /(?:^|\/)(?:[tj]sconfig[^/]*|deno\.jsonc?|lerna\.json|nx\.json|project\.json|turbo\.json|rush\.json|\.npmrc|\.env[^/]*)$|(?:^|\/)(?:rollup|webpack|tsup|esbuild)\.config\./;

function isSettings(path: string): boolean {
  if (OTHER_SETTINGS.test(path)) return false;
  const rule = settingsRuleOf(path, (ecosystem) => ecosystem === 'javascript');
  return nameOf(path) === 'package.json' || (rule !== null && rule.ecosystem === 'javascript');
}

const quotedTexts = (text: string): readonly string[] => [...text.matchAll(QUOTED)].map(([, quoted = '']) => quoted);

function runnerTexts(text: string): readonly string[] {
  const manifest = parseJsonc(text);
  return RUNNER_KEYS.flatMap((key) => stringsIn(valueAt(manifest, [key])));
}
