import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Draw } from '../../draw.ts';
import { drawChoice } from '../comparison.ts';
import { similarDecimal, similarInteger, similarText } from '../similar-values.ts';
import { type Order, replace } from '../order.ts';
import { splitTokens, type Tokens } from './tokens.ts';

const LITERAL = /^(?:integer|float|string|raw_string|boolean)_literal$/;
const EQUALITY = /(?:^|_)eq(?:ual)?s?$/;
/** Conversions whose result changes with the literal. */
const CONVERSIONS = /^(?:to_string|to_owned|into|to_vec|as_bytes|as_str|as_slice|chars)$/;

export function spellStatements(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const statements = test.child('body')?.parts ?? [];
  const end = statements.findIndex(mayReturn);
  const sure = end === -1 ? statements : statements.slice(0, end);
  const assertions = sure.map(expectedIn).filter(({ length }) => length > 0);
  if (assertions.length === 0) return reverseAssertions(sure, order);
  const drawn = order.draw.pick(assertions);
  const edits = assertions.flatMap((literals) => {
    const literal = order.draw.pick(literals);
    const near = literal === undefined ? null : nearLiteral(literal, order.draw);
    if (literal === undefined || near === null) return [];
    return [choose(literal, near, order.fails && literals === drawn, order.draw)];
  });
  return edits.length === assertions.length ? edits : null;
}

const REVERSED: Readonly<Record<string, string>> = { assert_eq: 'assert_ne', assert_ne: 'assert_eq' };

/** No expected value can be altered, so the copy asserts the opposite. */
function reverseAssertions(statements: readonly SyntaxNode[], { fails, draw }: Order): readonly Edit[] | null {
  const edits = statements.flatMap((statement) => {
    const call = statement.type === 'expression_statement' ? statement.parts[0] : statement;
    const name = call?.type === 'macro_invocation' ? (call.child('macro')?.text ?? '') : '';
    const tokens = call?.firstOfType('token_tree');
    if (call === undefined || tokens === null || tokens === undefined) return [];
    const reversed = Object.hasOwn(REVERSED, name) ? REVERSED[name] : undefined;
    if (reversed !== undefined) return [{ node: call, own: call.text, contrary: `${reversed}!${tokens.text}` }];
    const [condition] = name === 'assert' ? splitTokens(tokens.children.slice(1, -1), ',') : [];
    const [first, last] = [condition?.[0], condition?.at(-1)];
    if (first === undefined || last === undefined) return [];
    const node = { start: first.start, end: last.end };
    const own = call.source.slice(node.start, node.end);
    return [{ node, own, contrary: `!(${own})` }];
  });
  const drawn = draw.pick(edits);
  const made = edits.map((edit) => {
    const { condition, first, second } = drawChoice(draw, edit.own, edit.contrary, fails && edit === drawn);
    return { start: edit.node.start, end: edit.node.end, text: `if ${condition} { ${first} } else { ${second} }` };
  });
  return made.length === 0 ? null : made;
}

function mayReturn(statement: SyntaxNode): boolean {
  const inner = (node: SyntaxNode): boolean => /^(?:closure_expression|async_block|function_item)$/.test(node.type);
  return [...statement.walk((node) => !inner(node))].some(
    ({ type, text }) => type === 'return_expression' || (type === 'token_tree' && /\breturn\b/.test(text)),
  );
}

/** Literals each of which makes the assertion fail if it is altered. */
function expectedIn(statement: SyntaxNode): Tokens {
  const call = statement.type === 'expression_statement' ? statement.parts[0] : statement;
  if (call?.type === 'macro_invocation') {
    const name = call.child('macro')?.text.split('::').at(-1) ?? '';
    const tokens = call.firstOfType('token_tree')?.children.slice(1, -1) ?? [];
    const [one = [], other = []] = splitTokens(tokens, ',');
    if (EQUALITY.test(name)) return firstWithLiterals([other, one]);
    return /^(?:debug_)?assert$/.test(name) ? ofComparison(one) : [];
  }
  if (call?.type !== 'call_expression') return [];
  const name = call.child('function')?.text.split('::').at(-1) ?? '';
  const given = call.child('arguments')?.parts ?? [];
  return EQUALITY.test(name) && given.length >= 2
    ? firstWithLiterals(
        given
          .slice(0, 2)
          .map((one) => [one])
          .toReversed(),
      )
    : [];
}

/** `assert!(a == 2)`, if the comparison is the whole condition. */
function ofComparison(tokens: Tokens): Tokens {
  const sides = splitTokens(tokens, '==');
  const [left = [], right = []] = sides;
  const alone = sides.length === 2 && !tokens.some(({ type }) => /^(?:&&|\|\||!|\|)$/.test(type));
  return alone ? firstWithLiterals([right, left]) : [];
}

function firstWithLiterals(sides: readonly Tokens[]): Tokens {
  return sides.map(literalsIn).find(({ length }) => length > 0) ?? [];
}

/** A literal, or literals in arrays, `vec![…]`, tuples, `Some(…)` and the like. */
function literalsIn(tokens: Tokens): Tokens {
  const [first, second, third, fourth] = tokens;
  if (first === undefined || tokens.some(({ type }) => type === ';')) return [];
  if (/^[&-]$/.test(first.type)) return literalsIn(tokens.slice(1));
  if (LITERAL.test(first.type)) {
    const converted = second?.type === '.' && CONVERSIONS.test(third?.text ?? '') && tokens.length === 4;
    return (tokens.length === 1 || converted) && isAlterable(first) ? [first] : [];
  }
  if (tokens.length === 1 && first.type === 'token_tree') return withinTree(first);
  if (tokens.length === 2 && /^(?:Some|Ok|Err)$/.test(first.text) && second !== undefined) return withinTree(second);
  if (tokens.length === 3 && first.text === 'vec' && third !== undefined) return withinTree(third);
  if (tokens.length === 4 && first.text === 'String' && third?.text === 'from' && fourth !== undefined)
    return withinTree(fourth);
  return [];
}

function withinTree(tree: SyntaxNode): Tokens {
  return tree.type === 'token_tree' ? splitTokens(tree.children.slice(1, -1), ',').flatMap(literalsIn) : [];
}

function isAlterable(literal: SyntaxNode): boolean {
  return nearLiteral(literal, null) !== null;
}

/** Null: the literal has no near value of its type. Without a draw, only whether one exists. */
function nearLiteral(literal: SyntaxNode, draw: Draw | null): string | null {
  const { text } = literal;
  switch (literal.type) {
    case 'boolean_literal':
      return text === 'true' ? 'false' : 'true';
    case 'integer_literal':
    case 'float_literal': {
      const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?)(_?[iuf](?:\d+|size))?$/.exec(text) ?? [];
      if (draw === null) return digits === '' ? null : text;
      // A smaller value fits even into small types.
      const near = similarInteger(digits, draw, true) ?? similarDecimal(digits, draw);
      return near === null ? null : `${near}${suffix}`;
    }
    default: {
      const [, start = '', content = '', end = ''] = /^(b?r?c?#*")([\s\S]*)("#*)$/.exec(text) ?? [];
      if (start === '' || content === '') return null;
      if (draw === null) return start.startsWith('b') && !/[a-z0-9]{2}/i.test(content) ? null : text;
      const near = similarText(content, draw);
      // The length of a byte string is part of its type.
      return start.startsWith('b') && near.length !== content.length ? null : `${start}${near}${end}`;
    }
  }
}

function choose(literal: SyntaxNode, near: string, altered: boolean, draw: Draw): Edit {
  const { condition, first, second } = drawChoice(draw, literal.text, near, altered);
  const beside = [literal.previous, literal.next];
  const choice = `if ${condition} { ${first} } else { ${second} }`;
  // The compiler warns about unnecessary parentheses, and a warning can be an error.
  return replace(literal, beside.some((node) => /^(?:&|-|\.|==)$/.test(node?.type ?? '')) ? `(${choice})` : choice);
}
