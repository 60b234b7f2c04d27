import type { SyntaxNode } from '../../syntax/node.ts';

/** Names that runners add to JavaScript, and that code also gives to rules, iterators and conditions of its own. */
const SHARED = /^(?:it|test|expect|describe)$/;

/** The code with the names blanked whose type JavaScript asks for and that are its own: parameters and variables around the question. */
export function withoutOwnNames(root: SyntaxNode, code: string): string {
  let blanked = code;
  for (const asked of root.ofType('unary_expression')) {
    if (!/^typeof\b/.test(asked.text)) continue;
    const name = firstName(asked.child('argument'));
    if (name === null || !SHARED.test(name.text) || !isOwn(name)) continue;
    blanked = blanked.slice(0, name.start) + ' '.repeat(name.end - name.start) + blanked.slice(name.end);
  }
  return blanked;
}

/** `it` in `it.return` */
function firstName(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.type === 'member_expression') return firstName(node.child('object'));
  return node?.type === 'identifier' ? node : null;
}

function isOwn(name: SyntaxNode): boolean {
  return [...name.ancestors()].some((around) => bindingsOf(around).some((binding) => binds(binding, name.text)));
}

/** The patterns that give names to what is inside of a node. */
function bindingsOf(around: SyntaxNode): readonly SyntaxNode[] {
  const given = [around.child('parameters'), around.child('parameter')];
  const looped = around.type === 'for_in_statement' && around.child('kind') !== null ? [around.child('left')] : [];
  const declared = around.parts
    .filter(({ type }) => type === 'lexical_declaration' || type === 'variable_declaration')
    .flatMap(({ parts }) => parts.map((declarator) => declarator.child('name')));
  return [...given, ...looped, ...declared].filter((node) => node !== null);
}

/** Whether a pattern has this name, other than as a key or in a default value. */
function binds(pattern: SyntaxNode, name: string): boolean {
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern')
    return pattern.text === name;
  return pattern.parts
    .filter(({ role, type }) => role !== 'right' && role !== 'key' && role !== 'value' && type !== 'type_annotation')
    .concat(pattern.type === 'pair_pattern' ? (pattern.child('value') ?? []) : [])
    .some((part) => binds(part, name));
}
