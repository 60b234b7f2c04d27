import type { SyntaxNode } from '../../syntax/node.ts';
import { foundAt, type Located, notFound, type TestSources } from './site.ts';
import { HOLE, joinTitles, type Title, titleFits } from './title.ts';

interface Subtest {
  readonly closure: SyntaxNode;
  readonly title: Title;
  /** The number of its names: those of its parents and its own. */
  readonly depth: number;
}

/** `import/path::TestName/subtest`. A package is found by the directory at the end of its path. */
export async function locateGo(id: string, sources: TestSources): Promise<Located> {
  const [, imported, name] = /^(.+?)::(.+)$/s.exec(id) ?? [];
  if (imported === undefined || name === undefined) return notFound('the id names no test');
  const [top = '', ...below] = name.split('/');
  const files = sources.paths
    .filter((path) => path.endsWith('_test.go') && isIn(dirOf(path), imported))
    .toSorted((a, b) => dirOf(b).length - dirOf(a).length);
  for (const path of files) {
    const tree = await sources.tree(path);
    const test = tree === null ? null : functionNamed(tree.root, top);
    if (test === null) continue;
    if (below.length === 0) return foundAt(path, 'go', test);
    const sub = onlySubtest(test, name, below.length + 1);
    if (sub !== null) return foundAt(path, 'go', sub.closure, sub.title.length === 1);
    return (
      (await suiteMethod(files, below, sources)) ?? notFound('its subtest is not written in the test, or several are')
    );
  }
  return notFound('its function is not written in a test file');
}

function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isIn(dir: string, imported: string): boolean {
  return dir === '' || dir === imported || imported.endsWith(`/${dir}`);
}

function functionNamed(root: SyntaxNode, name: string): SyntaxNode | null {
  return (
    root.children.find((node) => node.type === 'function_declaration' && node.child('name')?.text === name) ?? null
  );
}

/** Go numbers subtests of the same name: `name#01`. */
function onlySubtest(test: SyntaxNode, name: string, depth: number): Subtest | null {
  const start: Title = [test.child('name')?.text ?? ''];
  const fitting = subtestsIn(test, start, 2).filter(
    (one) => one.depth === depth && titleFits(one.title, name.replace(/#\d+$/, '')),
  );
  const written = fitting.filter(({ title }) => title.length === 1);
  const [one, another] = written.length > 0 ? written : fitting;
  return one === undefined || another !== undefined ? null : one;
}

function subtestsIn(scope: SyntaxNode, before: Title, depth: number): readonly Subtest[] {
  const isRun = (node: SyntaxNode): boolean => node !== scope && runOf(node) !== null;
  return [...scope.walk((node) => !isRun(node))].flatMap((node) => {
    const run = node === scope ? null : runOf(node);
    if (run === null) return [];
    const title = joinTitles(before, run.title, '/');
    return [{ closure: run.closure, title, depth }, ...subtestsIn(run.closure, title, depth + 1)];
  });
}

/** `t.Run("name", func(t *testing.T) { … })`. */
function runOf(call: SyntaxNode): { readonly title: Title; readonly closure: SyntaxNode } | null {
  const callee = call.type === 'call_expression' ? call.child('function') : null;
  if (callee?.child('field')?.text !== 'Run') return null;
  const [title, closure] = call.child('arguments')?.parts ?? [];
  if (title === undefined || closure?.type !== 'func_literal') return null;
  return { title: titleOf(title), closure };
}

function titleOf(node: SyntaxNode): Title {
  if (!/^(?:interpreted|raw)_string_literal$/.test(node.type) || node.text.includes('\\')) return HOLE;
  return [node.text.slice(1, -1).replaceAll(/\s/g, '_')];
}

/** A method of a testify suite: `TestSuite/TestMethod`. */
async function suiteMethod(
  files: readonly string[],
  below: readonly string[],
  sources: TestSources,
): Promise<Located | null> {
  const [name, ...deeper] = below;
  if (deeper.length > 0) return null;
  for (const path of files) {
    const root = (await sources.tree(path))?.root;
    if (root === undefined || !root.source.includes('testify/suite')) continue;
    const methods = root.children.filter(
      (node) => node.type === 'method_declaration' && node.child('name')?.text === name,
    );
    const [method, another] = methods;
    if (method !== undefined && another === undefined) return foundAt(path, 'go', method);
  }
  return null;
}
