import type { SyntaxNode } from '../../syntax/node.ts';
import { foundAt, type Located, notFound, type TestSources } from './site.ts';

/** `path.py::Class::test[parameters]`. */
export async function locatePytest(id: string, sources: TestSources): Promise<Located> {
  const [, path, names] = /^(.+?\.\w+)::(.*)$/s.exec(id) ?? [];
  if (path === undefined || names === undefined) return notFound('the id names no function');
  return locateNames(path, names.replace(/\[.*$/s, '').split('::'), sources);
}

/** `package.module.Class.test`. */
export async function locateUnittest(id: string, sources: TestSources): Promise<Located> {
  const names = id.split('.');
  const module = names.slice(0, -2).join('.');
  const paths = sources.paths.filter((path) => {
    const dotted = path.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.');
    return module !== '' && (dotted === module || dotted.endsWith(`.${module}`));
  });
  for (const path of paths) {
    const located = await locateNames(path, names.slice(-2), sources);
    if (located.site !== null) return located;
  }
  return notFound('no test file has this name');
}

async function locateNames(path: string, names: readonly string[], sources: TestSources): Promise<Located> {
  const tree = await sources.tree(path);
  if (tree === null) return notFound('the test file could not be parsed');
  const test = names.at(-1) ?? '';
  let scope: SyntaxNode | null = tree.root;
  for (const name of names.slice(0, -1)) scope = scope === null ? null : definitionIn(scope, 'class_definition', name);
  if (scope === null) return notFound('its class is not written in the test file');
  const found = definitionIn(scope, 'function_definition', test) ?? inherited(tree.root, scope, test, new Set());
  return found === null ? notFound('its function is not written in the test file') : foundAt(path, 'python', found);
}

/** The last one of this name: it hides the others. Also in `if`, `try` and `with`. */
function definitionIn(scope: SyntaxNode, type: string, name: string): SyntaxNode | null {
  const body = scope.type === 'class_definition' ? scope.child('body') : scope;
  const isScope = (node: SyntaxNode): boolean => /^(?:function|class)_definition$/.test(node.type);
  const nodes = body === null ? [] : [...body.walk((node) => !isScope(node))];
  return nodes.findLast((node) => node.type === type && node.child('name')?.text === name) ?? null;
}

/** From a base class of the same file. */
function inherited(
  root: SyntaxNode,
  scope: SyntaxNode,
  test: string,
  seen: ReadonlySet<SyntaxNode>,
): SyntaxNode | null {
  if (scope.type !== 'class_definition' || seen.has(scope)) return null;
  for (const base of scope.child('superclasses')?.parts ?? []) {
    const above = base.type === 'identifier' ? definitionIn(root, 'class_definition', base.text) : null;
    if (above === null) continue;
    const found =
      definitionIn(above, 'function_definition', test) ?? inherited(root, above, test, new Set([...seen, scope]));
    if (found !== null) return found;
  }
  return null;
}
