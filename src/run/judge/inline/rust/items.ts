import type { SyntaxNode } from '../../syntax/node.ts';

/** An item of a Rust file, module or `impl`. */
export interface Item {
  readonly key: string;
  readonly node: SyntaxNode;
  /** `#[…]` before it. */
  readonly attributes: readonly SyntaxNode[];
  /** `///`, `/** … ` and `#[doc = …]` before it. */
  readonly docs: readonly SyntaxNode[];
  /** Where its attributes and documentation begin. */
  readonly start: number;
  readonly end: number;
}

/** The items of a file, a module's or an `impl`'s body. */
export function itemsOf(container: SyntaxNode): readonly Item[] {
  const items: Item[] = [];
  let before: SyntaxNode[] = [];
  for (const node of container.children) {
    if (node.type === 'attribute_item' || isOuterDoc(node)) before.push(node);
    else if (isComment(node) || !node.named) continue;
    else if (node.type === 'inner_attribute_item' || node.type === 'empty_statement') before = [];
    else {
      items.push(itemOf(node, before));
      before = [];
    }
  }
  return items;
}

/** Behind the `{` of a body, and behind what concerns the file or module as a whole. */
export function placeBeforeItems(container: SyntaxNode): number {
  const inner = container.children.filter((node) => node.type === 'inner_attribute_item' || isInnerDoc(node));
  const opening = container.children.find(({ type }) => type === '{' || type === 'shebang');
  return Math.max(opening?.end ?? container.start, ...inner.map(({ end }) => end));
}

export const innerAttributesOf = (container: SyntaxNode): readonly SyntaxNode[] =>
  container.children.filter(({ type }) => type === 'inner_attribute_item');

/** Documentation of the file or module itself. */
export const innerDocsOf = (container: SyntaxNode): readonly SyntaxNode[] =>
  container.children.filter((node) => isInnerDoc(node) || (node.type === 'inner_attribute_item' && isDoc(node)));

function itemOf(node: SyntaxNode, before: readonly SyntaxNode[]): Item {
  return {
    key: keyOf(node),
    node,
    attributes: before.filter(({ type }) => type === 'attribute_item'),
    docs: before.filter((one) => isOuterDoc(one) || isDoc(one)),
    start: before[0]?.start ?? node.start,
    end: node.end,
  };
}

/** Names an item: whatever it is now, the same item of another version has the same key. */
function keyOf(node: SyntaxNode): string {
  const macro = macroCall(node);
  if (macro !== null)
    return `${macro.child('macro')?.text ?? ''}! ${oneLine(macro.firstOfType('token_tree')?.text ?? '')}`;
  const name = node.child('name')?.text;
  if (name !== undefined) return `${node.type.replace(/_(?:item|definition|declaration)$/, '')} ${name}`;
  const body = node.child('body');
  const text = oneLine(body === null ? node.text : node.text.slice(0, body.start - node.start));
  return text.replace(/^pub(?:\([^)]*\))? /, '');
}

/** The call of a macro that stands for items. */
export function macroCall(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'macro_invocation') return node;
  return node.type === 'expression_statement' ? node.firstOfType('macro_invocation') : null;
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const isComment = ({ type }: SyntaxNode): boolean => type === 'line_comment' || type === 'block_comment';
const isOuterDoc = (node: SyntaxNode): boolean => isComment(node) && node.child('outer') !== null;
const isInnerDoc = (node: SyntaxNode): boolean => isComment(node) && node.child('inner') !== null;
const isDoc = (node: SyntaxNode): boolean => node.firstOfType('attribute')?.firstOfType('identifier')?.text === 'doc';
