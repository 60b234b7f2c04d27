import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { goLiterals, spellLiteral } from './literals.ts';
import { type Alterer, insert, type Order, replace } from '../order.ts';

export const goAlterer: Alterer = { wrap: deferFailure, spell: spellAssertions };

const EQUALITY = /equal|^eq|eq$|same|^len$/i;
const INEXACT = /not|approx|almost|delta|epsilon|match|fold|error|type|value/i;

/** The name that reports failures: the parameter, or the receiver of a suite's method. Null: it has no name. */
function reporterOf(test: SyntaxNode): string | null {
  if (test.type === 'method_declaration') {
    const receiver = test.child('receiver')?.parts[0]?.child('name')?.text;
    return receiver === undefined || receiver === '_' ? null : `${receiver}.T()`;
  }
  const [parameter, another] = test.child('parameters')?.parts ?? [];
  const name = parameter?.child('name')?.text;
  const isTest = parameter?.child('type')?.text.endsWith('.T') ?? false;
  return name === undefined || name === '_' || another !== undefined || !isTest ? null : name;
}

function deferFailure(test: SyntaxNode, { fails, token, draw }: Order): readonly Edit[] | null {
  const reporter = reporterOf(test);
  const body = test.child('body');
  if (reporter === null || body === null) return null;
  const condition = comparisonText(drawComparison(draw, fails));
  return [insert(body.start + 1, ` defer func() { if ${condition} { ${reporter}.Error("${token}") } }();`)];
}

function spellAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const reporter = reporterOf(test);
  const statements = test.child('body')?.firstOfType('statement_list')?.parts ?? [];
  if (reporter === null) return null;
  const end = statements.findIndex((statement) => mayReturn(statement));
  const sure = end === -1 ? statements : statements.slice(0, end);
  const assertions = sure.map((statement) => expectedIn(statement, reporter)).filter(({ length }) => length > 0);
  const drawn = order.draw.pick(assertions);
  const edits = assertions.flatMap((literals) => {
    const literal = order.draw.pick(literals);
    if (literal === undefined) return [];
    const spelled = spellLiteral(literal, order.fails && literals === drawn, order.draw);
    return spelled === null ? [] : [replace(literal, spelled)];
  });
  return edits.length === assertions.length && edits.length > 0 ? edits : null;
}

function mayReturn(statement: SyntaxNode): boolean {
  const nodes = [...statement.walk((node) => node.type !== 'func_literal')];
  return nodes.some(({ type }) => type === 'return_statement' || type === 'goto_statement');
}

/** Literals each of which makes the assertion fail if it is altered. */
function expectedIn(statement: SyntaxNode, reporter: string): readonly SyntaxNode[] {
  if (statement.type === 'if_statement') {
    const failing = statement.child('consequence')?.firstOfType('statement_list')?.parts ?? [];
    const condition = statement.child('condition');
    // One of its own statements must report: a nested condition may not hold.
    const reports = failing.some(({ text }) => /^\.(?:Error|Fatal|Fail)/.test(withoutPrefix(text, reporter)));
    return condition === null || !reports ? [] : unequalIn(condition);
  }
  const call = statement.type === 'expression_statement' ? statement.parts[0] : undefined;
  return call?.type === 'call_expression' ? comparedIn(call, reporter) : [];
}

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : '';

/** `x != 2`, `a != 1 || b != 2`, `!reflect.DeepEqual(x, …)`. */
function unequalIn(condition: SyntaxNode): readonly SyntaxNode[] {
  const operator = condition.child('operator')?.type;
  const sides = [condition.child('right'), condition.child('left')].filter((side) => side !== null);
  if (condition.type === 'parenthesized_expression') return condition.parts.flatMap(unequalIn);
  if (operator === '||') return sides.flatMap(unequalIn);
  if (operator === '!=') return firstWithLiterals(sides);
  const call = condition.type === 'unary_expression' && operator === '!' ? condition.child('operand') : null;
  if (call?.type !== 'call_expression' || !/(?:^|\.)(?:Deep)?Equal$/.test(call.child('function')?.text ?? ''))
    return [];
  return firstWithLiterals((call.child('arguments')?.parts ?? []).toReversed());
}

/** `assert.Equal(t, 2, x)`, `s.Equal(2, x)`, `checkEqual(t, x, 2)`. */
function comparedIn(call: SyntaxNode, reporter: string): readonly SyntaxNode[] {
  const callee = call.child('function');
  const name = (callee?.child('field') ?? callee)?.text ?? '';
  const given = call.child('arguments')?.parts ?? [];
  const ofSuite = `${callee?.child('operand')?.text ?? ''}.T()` === reporter;
  if (!EQUALITY.test(name) || INEXACT.test(name) || (!ofSuite && given[0]?.text !== reporter)) return [];
  const [one, other] = ofSuite ? given : given.slice(1);
  return one === undefined || other === undefined ? [] : firstWithLiterals([other, one]);
}

function firstWithLiterals(sides: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return sides.map(goLiterals).find(({ length }) => length > 0) ?? [];
}
