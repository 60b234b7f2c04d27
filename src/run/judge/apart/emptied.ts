import { locateTest } from '../must-fail/locate/locate.ts';
import { type TestSite, TestSources } from '../must-fail/locate/site.ts';
import { applyEdits, type Edit } from '../syntax/edits.ts';
import type { SyntaxNode } from '../syntax/node.ts';
import type { PlainTest } from './forms/form.ts';
import type { ApartTree } from './run-apart.ts';

/**
 * The test uses more than the code it calls. Without another test for comparison, nothing shows whether that exists without the runner.
 */
const NEEDS_MORE =
  /\b(?:os|fs|io|ioutil|filepath|path|exec|env|process|fetch|http|net|std::(?:fs|env|process|io|path)|Path(?:Buf)?|File|include_\w+!|testdata|fixtures?|__dirname|__filename|import\.meta|require|jest|vi|sinon|nock|mock\w*)\b/;
/** In bash, every program is called by its path. */
const NEEDS_MORE_OF_BATS = /\bBATS_\w+|\b(?:load|source|cat|cp|fixtures?)\b/;

/**
 * The tree with its tests changed to end before they do anything. If these pass without their runner, the original tests can fail there
 * only because of what the code answers. `tests`: the tests that could be changed this way.
 */
export async function emptiedTests(
  runner: string,
  tree: ApartTree,
  tests: readonly PlainTest[],
): Promise<{ readonly tree: ApartTree; readonly tests: readonly PlainTest[] }> {
  const sources = new TestSources(tree);
  const edits = new Map<string, Edit[]>();
  const emptied: PlainTest[] = [];
  for (const test of tests) {
    const { site } = await locateTest(runner, test.id, sources);
    const parsed = site === null ? null : await sources.tree(site.path);
    const node = [...(parsed?.root.walk() ?? [])].find((one) => site !== null && isAt(one, site));
    const edit =
      node === undefined || (runner === 'bats' ? NEEDS_MORE_OF_BATS : NEEDS_MORE).test(node.text)
        ? null
        : endAtOnce(node);
    if (site === null || edit === null) continue;
    edits.set(site.path, [...(edits.get(site.path) ?? []), edit]);
    emptied.push(test);
  }
  const texts = new Map([...edits].map(([path, some]) => [path, applyEdits(tree.read(path) ?? '', some)]));
  return { tree: { ...tree, paths: tree.paths, read: (path) => texts.get(path) ?? tree.read(path) }, tests: emptied };
}

const isAt = ({ type, start, end }: SyntaxNode, site: TestSite): boolean =>
  type === site.type && start === site.start && end === site.end;

/** Keeps the statements, so that everything they name is still used. */
function endAtOnce(test: SyntaxNode): Edit | null {
  const body = test.child('body');
  const inserted = (at: number, text: string): Edit => ({ start: at, end: at, text });
  if (body === null || test.child('return_type') !== null) return null;
  switch (body.type) {
    case 'statement_block':
      return inserted(body.start + 1, ' if (1) return;');
    case 'compound_statement':
      return inserted(body.start + 1, ' return 0;');
    case 'block':
      return inserted(body.start + 1, ' if 1 == 1 { return };');
    default:
      return test.type === 'arrow_function' ? { start: body.start, end: body.end, text: 'undefined' } : null;
  }
}
