import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportSpec } from './spec.ts';

/** The compiler's own limit; a file that nests deeper is no program. */
const MAX_DEPTH = 128;

export function rustImports(root: SyntaxNode): ImportSpec[] {
  return [...root.walk()].flatMap((node) => {
    switch (node.type) {
      case 'mod_item':
        return node.child('body') === null ? [outOfLineModule(node)] : [];
      case 'use_declaration':
        return usedPaths(node.child('argument')).map((path) => importSpec('use', node, path));
      case 'extern_crate_declaration':
        return [importSpec('use', node, node.child('name')?.text ?? '')];
      case 'macro_invocation':
        return included(node);
      default:
        return [];
    }
  });
}

function outOfLineModule(node: SyntaxNode): ImportSpec {
  const file = attributesOf(node)
    .map((attribute) => /^#\[\s*path\s*=\s*"([^"]*)"\s*\]$/.exec(attribute.text)?.[1])
    .find((path) => path !== undefined);
  if (file !== undefined) return importSpec('file', node, file);
  const modules = [node];
  for (const above of node.ancestors()) {
    if (above.type === 'mod_item') modules.unshift(above);
    if (modules.length > MAX_DEPTH) break;
  }
  return importSpec('mod', node, modules.map((module) => module.child('name')?.text ?? '').join('::'));
}

/** The `#[…]` lines that stand before an item, in the order of the text. */
export function attributesOf(item: SyntaxNode): readonly SyntaxNode[] {
  const attributes: SyntaxNode[] = [];
  for (let before = item.previous; before !== null; before = before.previous) {
    if (before.type === 'attribute_item') attributes.push(before);
    else if (before.type !== 'line_comment' && before.type !== 'block_comment') break;
  }
  return attributes.toReversed();
}

/** `a::{b, c::d as e, f::*}` is `a::b`, `a::c::d`, `a::f::*`. */
function usedPaths(node: SyntaxNode | null, before = '', depth = 0): string[] {
  if (node === null || depth > MAX_DEPTH) return [];
  switch (node.type) {
    case 'use_list':
      return node.namedChildren.flatMap((one) => usedPaths(one, before, depth + 1));
    case 'scoped_use_list':
      return usedPaths(node.child('list'), joined(before, node.child('path')?.text ?? ''), depth + 1);
    case 'use_as_clause':
      return usedPaths(node.child('path'), before, depth + 1);
    case 'use_wildcard':
      return [joined(before, node.text)];
    case 'self':
      return [before === '' ? 'self' : before];
    case 'line_comment':
    case 'block_comment':
      return [];
    default:
      return [joined(before, node.text)];
  }
}

function joined(before: string, path: string): string {
  const plain = path.replaceAll(/\s/g, '');
  return before === '' ? plain : `${before}::${plain}`;
}

function included(node: SyntaxNode): ImportSpec[] {
  const macro = node.child('macro')?.text ?? '';
  if (!/^(?:(?:std|core)::)?include(?:_str|_bytes)?$/.test(macro)) return [];
  const kind = macro.endsWith('include') ? 'file' : 'resource';
  const path = [...node.ofType('string_content')].at(-1)?.text;
  if (path === undefined) return [];
  // `include!(concat!(env!("OUT_DIR"), "/x.rs"))`: the directory is known to the compiler alone.
  const whole = node.firstOfType('token_tree')?.namedChildren.length === 1;
  return [importSpec(kind, node, whole ? path : path.replace(/^\/+/, ''), { whole })];
}
