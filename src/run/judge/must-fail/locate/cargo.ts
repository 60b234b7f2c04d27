import type { SyntaxNode } from '../../syntax/node.ts';
import { attributesOf } from '../../syntax/imports/rust.ts';
import { foundAt, type Located, notFound, type TestSources } from './site.ts';

/** A module, and the directory of its files. */
export interface Module {
  readonly path: string;
  readonly items: readonly SyntaxNode[];
  readonly dir: string;
  /** The `mod` items that lead to it, each with its file. */
  readonly way: readonly { readonly path: string; readonly item: SyntaxNode }[];
}

/** `src/lib.rs::module::test`: the file is the root of the crate; the test may be in another file. */
export async function locateCargo(id: string, sources: TestSources): Promise<Located> {
  const [, root, name] = /^(.+?\.rs)::(\S+)$/.exec(id) ?? [];
  if (root === undefined || name === undefined) return notFound('doctests are not altered');
  const names = name.split('::');
  for (const taken of [1, 2]) {
    // `test::case_1`: generated from `test` by an attribute.
    const module = await findModule(root, names.slice(0, -taken), sources);
    const found = module === null ? null : testIn(module.items, names.at(-taken) ?? '', taken === 2);
    if (module !== null && found !== null) return foundAt(module.path, 'rust', found, found.type === 'function_item');
  }
  return notFound('its function is not written in a file of the crate');
}

export async function findModule(root: string, names: readonly string[], sources: TestSources): Promise<Module | null> {
  const tree = await sources.tree(root);
  let module: Module | null =
    tree === null ? null : { path: root, items: tree.root.children, dir: dirOf(root), way: [] };
  for (const name of names) {
    if (module === null) return null;
    const item = module.items.find((node) => node.type === 'mod_item' && node.child('name')?.text === name);
    if (item === undefined) return null;
    const body = item.child('body');
    const dir = joined(module.dir, name);
    const way: Module['way'] = [...module.way, { path: module.path, item }];
    const inner: Module | null =
      body === null ? await readModule(module, item, sources) : { path: module.path, items: body.children, dir, way };
    module = inner === null ? null : { ...inner, way };
  }
  return module;
}

async function readModule(parent: Module, item: SyntaxNode, sources: TestSources): Promise<Module | null> {
  const name = item.child('name')?.text ?? '';
  const given = attributesOf(item)
    .map(({ text }) => /^#\[\s*path\s*=\s*"([^"]*)"\s*\]$/.exec(text)?.[1])
    .find((path) => path !== undefined);
  const dir = joined(parent.dir, name);
  const paths = given === undefined ? [`${dir}.rs`, joined(dir, 'mod.rs')] : [joined(dirOf(parent.path), given)];
  for (const path of paths) {
    const tree = await sources.tree(path);
    if (tree !== null)
      return { path, items: tree.root.children, dir: given === undefined ? dir : dirOf(path), way: [] };
  }
  return null;
}

function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`;
}

function testIn(items: readonly SyntaxNode[], name: string, byAttribute: boolean): SyntaxNode | null {
  const test = items.find((node) => node.type === 'function_item' && node.child('name')?.text === name);
  if (test !== undefined) return byAttribute && !isMadeByAttribute(test) ? null : test;
  return byAttribute ? null : macroBody(items, name);
}

function isMadeByAttribute(test: SyntaxNode): boolean {
  return attributesOf(test).some(({ text }) => /rstest|test_case|case\(|parameterized/.test(text));
}

/** `t!(name, …)` where `t` generates a `#[test] fn`: the macro is altered, and with it everything that it generates. */
function macroBody(items: readonly SyntaxNode[], name: string): SyntaxNode | null {
  const made = items
    .map((node) => (node.type === 'expression_statement' ? (node.parts[0] ?? node) : node))
    .find(
      (node) =>
        node.type === 'macro_invocation' &&
        (node.firstOfType('token_tree')?.children.some(({ type, text }) => type === 'identifier' && text === name) ??
          false),
    );
  const macro = made?.child('macro')?.text;
  const definitions = made === undefined ? [] : [...([...made.ancestors()].at(-1) ?? made).ofType('macro_definition')];
  const definition = definitions.find((node) => node.child('name')?.text === macro);
  return definition === undefined ? null : onlyTestBody(definition);
}

/** The `{…}` of the only `#[test] fn $name() {…}` in it. */
function onlyTestBody(definition: SyntaxNode): SyntaxNode | null {
  const bodies = [...definition.ofType('token_tree')].filter((tree) => {
    const before = tree.parent?.children.slice(0, tree.index) ?? [];
    const start = before.findLastIndex(({ type }) => type === 'fn');
    const header = before.slice(start === -1 ? before.length : start);
    const attribute = before.slice(0, Math.max(0, start)).findLast(({ type }) => type === 'token_tree');
    return (
      tree.text.startsWith('{') && /^\[\s*test\s*\]$/.test(attribute?.text ?? '') && header[1]?.type === 'metavariable'
    );
  });
  const [body, another] = bodies;
  return body === undefined || another !== undefined ? null : body;
}
