import { enclosingDirs, nameOf, stemOf } from './path-parts.ts';

const TEST_DIRS = new Set([
  'test',
  'tests',
  '__test__',
  '__tests__',
  '__snapshots__',
  '__mocks__',
  '__fixtures__',
  '__image_snapshots__',
  'spec',
  'specs',
  't',
  'testdata',
  'test_data',
  'test-data',
  'testcases',
  'test_cases',
  'testsuite',
  'test-suite',
  'fixture',
  'fixtures',
  'golden',
  'goldens',
  'snapshots',
  'e2e',
  'cypress',
]);
const TEST_DIR = /^(?:tests?|specs?)[-_.]|[-_.](?:tests?|specs?|fixtures|snapshots)$/i;

/** Whether a path is in a directory whose name says that it holds tests or test support. */
export function inTestDir(path: string): boolean {
  return enclosingDirs(path).some((dir) => isTestDir(nameOf(dir)));
}

function isTestDir(name: string): boolean {
  return TEST_DIRS.has(name.toLowerCase()) || TEST_DIR.test(name);
}

/** The same for source directories of a product, where `spec`, `fixtures` and `snapshots` are ordinary names. */
export function inOwnTestDir(path: string): boolean {
  return enclosingDirs(path).some((dir) => /^(?:tests?|__\w+__|test_?data|.*[-_]tests?)$/i.test(nameOf(dir)));
}

const TEST_NAMES = [
  /^test_.*\.py$/,
  /_tests?\.(?:py|go|rb|c|cc|cpp|cxx|sh|bash|dart|exs|lua|php|ml|zig)$/,
  /^tests?\.(?:py|sh|bash|[cm]?[jt]sx?|c|cc|cpp|rs|rb|pl|lua)$/,
  /[.\-_](?:test|tests|spec|e2e|cy)\.[cm]?[jt]sx?$/,
  /^test[-_.].*\.(?:[cm]?[jt]sx?|c|cc|cpp|cxx|h|hpp|sh|bash|pl|rb|lua)$/,
  /_(?:spec|test)\.(?:rb|sh|bash|lua)$/,
  /(?:Test|Tests|IT|Spec)\.(?:java|kt|kts|scala|groovy|cs|fs|swift|php)$/,
  /^Test[A-Z].*\.(?:java|kt|cs)$/,
  /\.(?:bats|t|feature|snap)$/,
  /^(?:conftest|spec_helper|test_helper|tests?_support|test_suite)\.\w+$/,
  /^setup_suite\.bash$/,
];

/** Whether a file is named like a test, as runners collect them by default. */
export function isTestName(path: string): boolean {
  const name = nameOf(path);
  return TEST_NAMES.some((pattern) => pattern.test(name));
}

const SUPPORT_STEM =
  /^(?:conftest|testing|expected|expectations?|golden|fixtures?|snapshots?|mocks?|stubs?|fakes?|factories|test[-_]?cases?|assert(?:s|ions?)?|matchers?|harness)$/i;
const SUPPORT_WORD =
  /(?:^|[-_.])tests?(?:$|[-_.])|^test[-_]?(?:utils?|helpers?|support|lib|kit|base|data|setup|server)|(?:test|spec)[-_]?(?:utils?|helpers?|support|setup)$/i;

/** Whether a source file is named like test support. Weaker than `isTestName`: product files have such names too. */
export function isSupportName(path: string): boolean {
  const stem = stemOf(path);
  return SUPPORT_STEM.test(stem) || SUPPORT_WORD.test(stem);
}

const ENDS_WITH_TEST = /(?<!la|con|fas|grea|at|pro|de|shor)tests?$/i;

/** Whether a name begins or ends with the word, as `slugtest` and `testslug` do, and `latest` does not. */
export function hasTestWord(name: string): boolean {
  return /^tests?(?![aeiou])/i.test(name) || ENDS_WITH_TEST.test(name);
}

/** Whether a source of the product holds tests of its own: unit tests of Rust, or tests in a source for vitest. New ones have no vote. */
export function bringsInlineTests(path: string, text: string): boolean {
  if (inTestDir(path)) return false;
  if (path.endsWith('.rs')) return /#\[\s*cfg\s*\(\s*test\s*\)\s*\]/.test(text);
  return /\.[cm]?[jt]sx?$/.test(path) && /\bif\s*\(\s*import\.meta\.vitest\b/.test(text);
}
