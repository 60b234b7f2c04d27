import type { SyntaxNode } from '../../syntax/node.ts';
import { mentionsTests } from '../rust/cfg.ts';
import type { TestAwareCode } from './aware.ts';

/** Standard traits that `derive` implements: the compiler writes their code, not the patch. */
const PLAIN_DERIVE =
  /^\(\s*test\s*,\s*derive\s*\((?:\s*(?:Debug|Clone|Copy|PartialEq|Eq|PartialOrd|Ord|Hash|Default)\s*,?)*\)\s*,?\s*\)$/;

/**
 * Every `cfg(…)`, `cfg_attr(…)` and `cfg!(…)` that mentions tests, also inside macros. The text includes its place, so that moving one
 * from a harmless place to another counts as new.
 */
export function rustSwitches(root: SyntaxNode): readonly TestAwareCode[] {
  return [...root.ofType('token_tree')].flatMap((tokens) => {
    const name = nameBefore(tokens);
    if (name === null) return [];
    if (/\bdebug_assertions\b/.test(tokens.text) && !onlyChecks(guardedBy(tokens)))
      return [
        { kind: 'switch' as const, line: tokens.line, text: `${name}${tokens.text} ${contextOf(tokens)}`.trim() },
      ];
    if (!mentionsTests(tokens) || (name === 'cfg_attr' && PLAIN_DERIVE.test(tokens.text))) return [];
    return [{ kind: 'switch' as const, line: tokens.line, text: `${name}${tokens.text} ${contextOf(tokens)}`.trim() }];
  });
}

/** `cfg`, `cfg_attr` or `cfg!`; null: something else has these arguments. */
function nameBefore(tokens: SyntaxNode): string | null {
  const siblings = tokens.parent?.children ?? [];
  const at = siblings.indexOf(tokens);
  const isMacro = siblings[at - 1]?.type === '!';
  const name = siblings[at - (isMacro ? 2 : 1)]?.text ?? '';
  if (!/^cfg(?:_attr)?$|::cfg$/.test(name)) return null;
  return isMacro ? `${name}!` : name;
}

/** The code that is compiled or run only if the condition holds. */
function guardedBy(tokens: SyntaxNode): SyntaxNode | null {
  const attribute = [...tokens.ancestors()].find(({ type }) => type.endsWith('attribute_item'));
  if (attribute === undefined)
    return (
      [...tokens.ancestors()].find(({ type }) => /^if_expression$|_statement$|^let_declaration$/.test(type)) ?? null
    );
  const siblings = attribute.parent?.children ?? [];
  return siblings.slice(siblings.indexOf(attribute) + 1).find(({ type }) => !/attribute|comment/.test(type)) ?? null;
}

const CHECKS =
  /^(?:if\b.*\bcfg!.*|(?:\w+::)*(?:debug_)?assert\w*!.*|(?:\w+::)*(?:e?print(?:ln)?|debug|trace|warn|info|error|log|panic|unreachable)!.*|(?:[\w.]|::)*\w*(?:assert|check|verify|validate)\w*\(.*|[)\]}]*|else|".*|\/\/.*)$/;

/** Checks and messages for debug builds do not change what a program returns. A module without tests to switch may differ too. */
function onlyChecks(guarded: SyntaxNode | null): boolean {
  if (guarded === null) return false;
  if (
    /^(?:mod_item|use_declaration|extern_crate_declaration|field_declaration|impl_item|struct_item)$/.test(guarded.type)
  )
    return true;
  if (guarded.type === 'function_item')
    return /assert|check|verify|debug|trace|log/.test(guarded.child('name')?.text ?? '');
  return withoutTexts(guarded)
    .split(/[;{}\n]/)
    .every((line) => CHECKS.test(line.trim()));
}

/** Messages may hold whatever else separates statements: `"{path} is missing"`. */
function withoutTexts(node: SyntaxNode): string {
  const chunks: string[] = [];
  let at = 0;
  for (const { start, end } of node.ofType('string_literal', 'raw_string_literal')) {
    chunks.push(node.text.slice(at, start - node.start), '""');
    at = end - node.start;
  }
  return [...chunks, node.text.slice(at)].join('');
}

/** Its context: the item that follows an attribute, and the items around it. */
function contextOf(tokens: SyntaxNode): string {
  const attribute = [...tokens.ancestors()].find(({ type }) => type.endsWith('attribute_item'));
  const siblings = attribute?.parent?.children ?? [];
  const behind = siblings
    .slice(siblings.indexOf(attribute ?? tokens) + 1)
    .find(({ type }) => !/attribute|comment/.test(type));
  const subject = attribute === undefined ? undefined : (behind?.child('name')?.text ?? behind?.text.split('\n')[0]);
  const around = [...tokens.ancestors()]
    .map(
      (node) => node.child('name')?.text ?? (node.type === 'impl_item' ? node.text.split('{')[0]?.trim() : undefined),
    )
    .filter((name) => name !== undefined)
    .toReversed();
  const place = around.length === 0 ? '' : `in ${around.join('::')}`;
  return [subject === undefined ? '' : `on ${subject}`, place].filter((text) => text !== '').join(' ');
}
