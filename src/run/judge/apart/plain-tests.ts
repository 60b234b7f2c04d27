import type { Language } from '../syntax/language.ts';
import type { SyntaxNode } from '../syntax/node.ts';
import { nameOf } from '../deciding/path-parts.ts';
import { dirOfTest, locateTest } from '../must-fail/locate/locate.ts';
import type { TestFiles, TestSite } from '../must-fail/locate/site.ts';
import { TestSources } from '../must-fail/locate/site.ts';
import { isPlainJavaScript } from './plain-javascript.ts';
import { isPlainPython } from './plain-python.ts';

/** Runners whose tests can be kept apart from the code. */
export const APART_RUNNERS: ReadonlySet<string> = new Set(['pytest', 'unittest', 'node-test']);

/** A test that only calls the product with plain values and compares what it returns: such a test says the same wherever the code runs. */
export interface PlainTest {
  readonly id: string;
  /** Its test file, from the root. */
  readonly file: string;
}

/** Those of the tests that are plain. Any doubt leaves a test out. */
export async function plainTests(
  runner: string,
  ids: readonly string[],
  files: TestFiles,
  fileOf: (id: string) => string | null,
): Promise<readonly PlainTest[]> {
  if (files.paths.some((path) => nameOf(path) === 'conftest.py' && SETS_UP.test(files.read(path) ?? ''))) return [];
  const sources = new TestSources(files);
  const found: PlainTest[] = [];
  for (const id of ids) {
    // From another directory than the root the command runs in a way that is not repeated here.
    if (dirOfTest(runner, id, fileOf(id)) !== '') continue;
    const { site } = await locateTest(runner, id, sources);
    const tree = site === null ? null : await sources.tree(site.path);
    if (site === null || tree === null || tree.broken) continue;
    const test = [...tree.root.walk()].find((node) => isAt(node, site));
    if (test !== undefined && isPlain(site.language, tree.root, test) && !namesFile(test, files))
      found.push({ id, file: site.path });
  }
  return found;
}

/** Runs before tests that do not ask for it. */
const SETS_UP = /autouse|environ|setenv|chdir|pytest_(?:configure|runtest|sessionstart|generate_tests|collection)/;

const isAt = ({ type, start, end }: SyntaxNode, site: TestSite): boolean =>
  type === site.type && start === site.start && end === site.end;

function isPlain(language: Language, root: SyntaxNode, test: SyntaxNode): boolean {
  return language === 'python' ? isPlainPython(root, test) : isPlainJavaScript(root, test);
}

/** What it reads may be a file of the tests, which the code on its own does not see. */
function namesFile(test: SyntaxNode, { paths }: TestFiles): boolean {
  const texts = [...test.ofType('string', 'template_string')].map(({ text }) => text);
  const names = paths.map(nameOf).filter((name) => name.length > 3);
  return texts.some((text) => names.some((name) => text.includes(name)));
}
