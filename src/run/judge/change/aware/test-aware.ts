import { matchGlobs } from '../../../patch/changes.ts';
import { type FileDecision, decideFile } from '../../deciding/decision.ts';
import { extensionOf, nameOf } from '../../deciding/path-parts.ts';
import { newOnes } from '../../inline/aware/aware.ts';
import type { AwareLine } from './aware-line.ts';
import { looserTypeIn } from '../../inline/aware/equality.ts';
import { findTestAwareCode } from '../../inline/aware/find.ts';
import { type Language, languageOf } from '../../syntax/language.ts';
import { actsOnExitCode, type SeenExitCodes } from './exit-codes.ts';
import { takenCommands } from './commands-of-tests.ts';
import { givesWrittenEquality } from './given-equality.ts';
import { importedNames, moduleName } from './imported-names.ts';
import { includedLanguages } from './included-files.ts';
import { keepsExitCode } from './kept-exit-code.ts';
import { modulesOfCallers } from './module-names.ts';
import { takenNames } from './names-of-tests.ts';
import { isOrdinaryCode } from './ordinary-code.ts';
import { rowsNamed } from '../../../../task/tree/layered/search.ts';
import { keyOfName, nameOfKey } from '../../deciding/path-name.ts';
import type { ReadableTree } from '../trees/base-tree.ts';

export interface AwareRequest {
  readonly decisions: readonly FileDecision[];
  readonly base: ReadableTree;
  readonly deciding: ReadableTree;
  /** Files that only tests use. */
  readonly testFiles: readonly string[];
  /** Files that the tests on the base read. */
  readonly read: ReadonlySet<string>;
}

/** The lines that the patch adds. Code that only moves from one file to another is not new. */
export async function findAwareLines(request: AwareRequest): Promise<readonly AwareLine[]> {
  const { decisions, base, deciding, testFiles } = request;
  const product = decisions.filter(({ kind }) => kind === 'product' || kind === 'both' || kind === 'merged');
  // The product may now load files that the tests on the base did not read.
  const others = decisions.filter(({ kind, deciding: version }) => kind === 'shown' && version === 'patch');
  const changed = [...product, ...others.filter(({ path }) => isNamedIn(path, product, deciding))];
  const all = changed.map(({ path }) => path);
  const included = includedLanguages(all, [...all, ...request.read], deciding.read);
  const isLibrary = (path: string): boolean => isAssertionLibrary(path, base.read(path), included.get(path));
  const paths = all.filter((path) => !isLibrary(path));
  const names = testFileNames(testFiles, base);
  const fresh = newOnes(await linesIn(paths, base, names, included), await linesIn(paths, deciding, names, included));
  const modules = await modulesOfCallers(fresh, changed, deciding);
  const own = fresh
    .filter((line) => !isOrdinaryCode({ line, base, deciding, testFiles }))
    .map((line) =>
      modules.includes(line) ||
      isEqualityOfNewType(line, base) ||
      givesWrittenEquality(line, deciding.read(line.path) ?? '') ||
      keepsExitCode(line, deciding.read(line.path) ?? '')
        ? { ...line, kind: 'context' as const }
        : line,
    );
  return [
    ...own,
    ...takenNames(paths, request),
    ...takenCommands(paths, { ...request, included }),
    ...(await newlyLoaded(paths, request)),
  ];
}

/**
 * Imports of a module that loads a test runner and that no test of the base has loaded: an earlier change may have added it for this
 * one to use.
 */
async function newlyLoaded(
  paths: readonly string[],
  { base, deciding, testFiles, read }: AwareRequest,
): Promise<readonly AwareLine[]> {
  const known = new Set([...read, ...testFiles, ...paths]);
  const found: AwareLine[] = [];
  for (const path of paths) {
    const text = deciding.read(path) ?? '';
    const before = new Set(await importedNames(path, base.read(path) ?? ''));
    const fresh = new Set((await importedNames(path, text)).filter((name) => !before.has(name)));
    // Most changes load nothing new, and a large base has many paths.
    if (fresh.size === 0) continue;
    const meant = base.paths.filter((other) => fresh.has(moduleName(other)) && !known.has(other));
    for (const { path: other } of (await linesIn(meant, base, [])).filter(({ kind }) => kind === 'runner')) {
      const at = text.split('\n').findIndex((line) => line.includes(moduleName(other)));
      found.push({ kind: 'runner', path, line: at + 1, text: (text.split('\n')[at] ?? '').trim() });
    }
  }
  return found;
}

/** The author of a new type defines its equality. For a type of the base, tests may have compared more. */
function isEqualityOfNewType({ text, path }: AwareLine, base: ReadableTree): boolean {
  const type = looserTypeIn(text);
  if (type === null) return false;
  const defined = new RegExp(String.raw`\b(?:class|struct|type)\s+${type}\b`);
  const alike = base.paths.filter((one) => extensionOf(one) === extensionOf(path));
  return !alike.some((one) => defined.test(base.read(one) ?? ''));
}

function isNamedIn(path: string, files: readonly FileDecision[], tree: ReadableTree): boolean {
  const stem = nameOf(path).replace(/\.\w+$/, '');
  return files.some((file) => (tree.read(file.path) ?? '').includes(stem));
}

/** A shell library of assertions, such as shunit2 itself, which defines the names of assertions and of the runner. */
const isAssertionLibrary = (path: string, text: string | null, language?: Language): boolean =>
  text !== null &&
  (languageOf(path, text) ?? language) === 'bash' &&
  /^\s*(?:function\s+)?assert[A-Za-z]+\s*\(\s*\)/m.test(text);

/** Names that only test files have: product code that contains one of them refers to the tests. */
function testFileNames(support: readonly string[], { walked }: ReadableTree): readonly string[] {
  const names = [...new Set(support.map(nameOf))].filter((name) => name.length > 5 && name.includes('.'));
  const own = new Set(support.map(keyOfName));
  const others = rowsNamed(walked.entries, names.map(keyOfName))
    .filter(([key, { kind }]) => kind !== 'dir' && !own.has(key))
    .map(([key]) => nameOf(nameOfKey(key)));
  return names.filter((name) => !others.includes(name));
}

async function linesIn(
  paths: readonly string[],
  tree: ReadableTree,
  testFiles: readonly string[],
  included: ReadonlyMap<string, Language> = new Map(),
): Promise<readonly AwareLine[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const text = tree.read(path);
      const language = text === null ? null : (languageOf(path, text) ?? included.get(path) ?? null);
      if (text === null || language === null) return [];
      return (await findTestAwareCode(language, text, testFiles)).map((one) => ({ ...one, path }));
    }),
  );
  return found.flat();
}

interface RefusalOptions {
  readonly allowDeciding: readonly string[];
  readonly exitCodes: SeenExitCodes;
  readonly deciding: ReadableTree;
}

/** Refuses files whose new code detects tests, unless a person allowed them by name. */
export function refuseAware(
  decisions: readonly FileDecision[],
  lines: readonly AwareLine[],
  { allowDeciding, exitCodes, deciding }: RefusalOptions,
): readonly FileDecision[] {
  const isAllowed = matchGlobs(allowDeciding);
  return decisions.map((decision) => {
    const line = lines.find(
      (one) => one.path === decision.path && actsOnExitCode(one, exitCodes, deciding.read(one.path) ?? ''),
    );
    if (line === undefined || decision.allowed_from !== null) return decision;
    if (isAllowed(decision.path)) return { ...decision, allowed_from: 'refused' };
    return decideFile(decision.path, 'acts_on_tests', `line ${line.line}, ${line.text.slice(0, 80)}`);
  });
}
