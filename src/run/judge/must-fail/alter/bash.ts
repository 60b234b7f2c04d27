import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Draw } from '../draw.ts';
import { type Comparison, drawComparison } from './comparison.ts';
import { similarInteger, similarText } from './similar-values.ts';
import { type Alterer, insert, type Order, replace } from './order.ts';

export const bashAlterer: Alterer = { wrap: wrapBody, spell: spellAssertions };

/**
 * The body becomes a function inside the test, so that `return` continues after it. Some frameworks report failures by `fail`; without
 * it, the test returns 1.
 */
function wrapBody(test: SyntaxNode, { fails, token, draw }: Order): readonly Edit[] | null {
  const body = test.child('body');
  if (body?.type !== 'compound_statement') return null;
  const inner = `f${draw.hex(6)}`;
  const status = `s${draw.hex(6)}`;
  const failure = `{ echo "${token}" >&2; fail "${token}" 2>/dev/null; return 1; }`;
  // Not `inner || …`: after that the shell would not stop at a failing command in it.
  const after = `${inner} "$@"; ${status}=$?; ${testText(drawComparison(draw, !fails))} || ${failure}; return $${status};`;
  // In a line of its own: bats takes the last ` {` of the line of `@test` for the end of the name.
  return [insert(body.start + 1, `\n${inner}() {`), insert(body.end - 1, `}; ${after} `)];
}

function testText({ left, plus, sign, right }: Comparison): string {
  return `[ $((${left} + ${plus})) ${sign === '<' ? '-lt' : '-gt'} ${right} ]`;
}

function spellAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const statements = test.child('body')?.parts ?? [];
  const end = statements.findIndex(
    (statement) => /\b(?:return|exit|skip)\b/.test(statement.text) && statement.type !== 'list',
  );
  const sure = end === -1 ? statements : statements.slice(0, end);
  // A failing command ends a test of bats, and no other function.
  const isBats = order.runner === 'bats';
  const literals = sure.flatMap((statement) => expectedIn(statement, isBats) ?? []);
  const drawn = order.draw.pick(literals);
  const edits = literals.map((literal) =>
    replace(literal, spelledWord(literal, order.fails && literal === drawn, order.draw)),
  );
  return edits.length === 0 ? null : edits;
}

function expectedIn(statement: SyntaxNode, isBats: boolean): SyntaxNode | null {
  if (statement.type === 'test_command') return isBats ? comparedIn(statement) : null;
  if (statement.type === 'list') {
    const [condition, otherwise] = statement.parts;
    const fails = /^(?:return|exit|fail)\b/.test(otherwise?.text ?? '') && statement.firstOfType('||') !== null;
    return fails && condition?.type === 'test_command' ? comparedIn(condition) : null;
  }
  if (statement.type !== 'command') return null;
  const name = statement.child('name')?.text ?? '';
  const given = statement.childrenBy('argument');
  if (name === 'test' || name === '[') {
    const [left, operator, right] = given;
    return isBats && /^(?:==?|-eq)$/.test(operator?.text ?? '') ? firstLiteral([right, left]) : null;
  }
  if (/^assert_(?:output|line)$/.test(name) && given.length === 1) return firstLiteral(given);
  return /^assert_?(?:equals?|same)$/i.test(name) ? firstLiteral(given.slice(-2)) : null;
}

function comparedIn(command: SyntaxNode): SyntaxNode | null {
  const comparison = command.firstOfType('binary_expression');
  if (!/^(?:==?|-eq)$/.test(comparison?.child('operator')?.text ?? '')) return null;
  return firstLiteral([comparison?.child('right') ?? undefined, comparison?.child('left') ?? undefined]);
}

function firstLiteral(nodes: readonly (SyntaxNode | undefined)[]): SyntaxNode | null {
  return nodes.find((node) => node !== undefined && contentOfWord(node) !== null) ?? null;
}

/** The value of a word. Null: it is computed, or a pattern. */
export function contentOfWord(word: SyntaxNode): string | null {
  switch (word.type) {
    case 'number':
      return word.text;
    case 'raw_string':
      return word.text.slice(1, -1);
    case 'string':
      return word.parts.every(({ type }) => type === 'string_content') && !word.text.includes('\\')
        ? word.text.slice(1, -1)
        : null;
    case 'word':
    // What follows `!=`, whether it is a pattern or not.
    case 'extglob_pattern':
      return /^[\w./:,-]+$/.test(word.text) ? word.text : null;
    default:
      return null;
  }
}

/** Quoted in another way; altered: another value. */
export function spelledWord(literal: SyntaxNode, altered: boolean, draw: Draw): string {
  const content = contentOfWord(literal) ?? '';
  const number = similarInteger(content, draw);
  if (number !== null && content === String(BigInt(content))) {
    const plus = draw.between(1000, 4999);
    return `$((${BigInt(altered ? number : content) + BigInt(plus)} - ${plus}))`;
  }
  const near = similarText(content, draw);
  const used = altered ? near : content;
  const at = draw.below(used.length + 1);
  return `'${used.slice(0, at)}''${used.slice(at)}'`;
}
