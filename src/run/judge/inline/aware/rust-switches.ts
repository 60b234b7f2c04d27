import type { SyntaxNode } from '../../syntax/node.ts';
import { mentionsTests } from '../rust/cfg.ts';
import type { TestAwareCode } from './aware.ts';

/** Traits of the language that `derive` implements: what they do is the compiler's, not the patch's. */
const PLAIN_DERIVE =
  /^\(\s*test\s*,\s*derive\s*\((?:\s*(?:Debug|Clone|Copy|PartialEq|Eq|PartialOrd|Ord|Hash|Default)\s*,?)*\)\s*,?\s*\)$/;

/**
 * Every `cfg(…)`, `cfg_attr(…)` and `cfg!(…)` that mentions tests, also inside of macros. Its text says where it stands, so
 * that one moved from a harmless place to another is a new one.
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

/** What is compiled or run only where it holds. */
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

/** Checks and messages that a program is built without change nothing that it returns. Without tests to switch, a module may differ too. */
function onlyChecks(guarded: SyntaxNode | null): boolean {
  if (guarded === null) return false;
  if (
    /^(?:mod_item|use_declaration|extern_crate_declaration|field_declaration|impl_item|struct_item)$/.test(guarded.type)
  )
    return true;
  if (guarded.type === 'function_item')
    return /assert|check|verify|debug|trace|log/.test(guarded.child('name')?.text ?? '');
  return guarded.text.split(/[;{}\n]/).every((line) => CHECKS.test(line.trim()));
}

/** What it belongs to: the item behind an attribute, and the items around it. */
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
