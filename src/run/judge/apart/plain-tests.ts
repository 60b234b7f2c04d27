import type { Language } from '../syntax/language.ts';
import type { SyntaxNode } from '../syntax/node.ts';
import { nameOf } from '../deciding/path-parts.ts';
import { dirOfTest, locateTest } from '../must-fail/locate/locate.ts';
import type { TestFiles, TestSite } from '../must-fail/locate/site.ts';
import { TestSources } from '../must-fail/locate/site.ts';
import { usesActingImports } from './acting-imports.ts';
import { plainDoctests } from './forms/doctest.ts';
import type { PlainTest } from './forms/form.ts';
import { needsPlainTests } from './forms/forms.ts';
import { isPlainJavaScript } from './plain-javascript.ts';
import { isPlainPython } from './plain-python.ts';

/** The tests that only call and compare. In doubt, a test is left out. */
export async function plainTests(
  runner: string,
  ids: readonly string[],
  files: TestFiles,
  fileOf: (id: string) => string | null,
): Promise<readonly PlainTest[]> {
  if (runner === 'doctest') return plainDoctests(ids, files);
  if (!needsPlainTests(runner)) return ordinaryTests(runner, ids, files);
  if (files.paths.some((path) => nameOf(path) === 'conftest.py' && SETS_UP.test(files.read(path) ?? ''))) return [];
  const sources = new TestSources(files);
  const found: PlainTest[] = [];
  for (const id of ids) {
    // Commands that run in another directory than the root are not supported here.
    if (dirOfTest(runner, id, fileOf(id)) !== '') continue;
    const { site } = await locateTest(runner, id, sources);
    const tree = site === null ? null : await sources.tree(site.path);
    if (site === null || tree === null || tree.broken) continue;
    const test = [...tree.root.walk()].find((node) => isAt(node, site));
    if (test !== undefined && isPlain(runner, site.language, tree.root, test) && !namesFile(test, files))
      found.push({ id, file: site.path });
  }
  return found;
}

/**
 * The test itself asks about its runner or its sources, so it cannot be tried without them. An escaped `.go` is the pattern of a line that
 * names its caller, which any file satisfies.
 */
const NEEDS_RUNNER: Readonly<Record<string, RegExp>> = {
  go: /\b(?:os\.Args|exec\.|flag\.|runtime\.|debug\.|syscall\.|testing\.(?!TB?\b|Short\b|Verbose\b))|(?<!\\)\.go\b|\\\.go\$|\bgo\.mod\b/,
  cargo:
    /\b(?:env!|option_env!|cfg!|current_exe|args\s*\(|process::|catch_unwind|thread::|debug_assert)|Cargo\.toml|\.rs"/,
  bats: /\bBATS_(?!TEST_DIRNAME\b|TEST_FILENAME\b|TEST_TMPDIR\b|TMPDIR\b)|\bbats_|>&\s*[3-9]|\$\{?stderr/,
};
const SETS_RUNNER_UP: Readonly<Record<string, RegExp>> = { go: /func TestMain\b/, bats: /\bBATS_RUN_COMMAND\b/ };

/** Tests that become functions of a program may do anything a function can do. */
async function ordinaryTests(runner: string, ids: readonly string[], files: TestFiles): Promise<readonly PlainTest[]> {
  const sources = new TestSources(files);
  const found: PlainTest[] = [];
  for (const id of ids) {
    const { site } = await locateTest(runner, id, sources);
    const text = site === null ? null : files.read(site.path);
    if (site === null || text === null || (runner === 'go' && id.includes('/', id.indexOf('::')))) continue;
    const own = text.slice(site.start, site.end);
    if (NEEDS_RUNNER[runner]?.test(own) === true || SETS_RUNNER_UP[runner]?.test(text) === true) continue;
    found.push({ id, file: site.path });
  }
  return found;
}

/** Fixtures and hooks that run before tests which do not request them. */
const SETS_UP = /autouse|environ|setenv|chdir|pytest_(?:configure|runtest|sessionstart|generate_tests|collection)/;

const isAt = ({ type, start, end }: SyntaxNode, site: TestSite): boolean =>
  type === site.type && start === site.start && end === site.end;

function isPlain(runner: string, language: Language, root: SyntaxNode, test: SyntaxNode): boolean {
  if (usesActingImports(root, test, language === 'python' ? 'python' : 'javascript')) return false;
  return language === 'python' ? isPlainPython(root, test) : isPlainJavaScript(root, test, runner);
}

/** The file may belong to the tests, and the code's sandbox does not have those. */
function namesFile(test: SyntaxNode, { paths }: TestFiles): boolean {
  const texts = [...test.ofType('string', 'template_string')].map(({ text }) => text);
  const names = paths.map(nameOf).filter((name) => name.length > 3);
  return texts.some((text) => names.some((name) => text.includes(name)));
}
