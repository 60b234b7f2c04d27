import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { countChoices, spellAssertions } from './assertions.ts';
import { doneOf, parametersOf, statementsOf } from './body.ts';
import { type Alterer, insert, type Order } from '../order.ts';

export const javascriptAlterer: Alterer = { wrap: wrapBody, spell: spellAssertions, choices: countChoices };

/** All edits stay on existing lines, so that line numbers do not change. */
function wrapBody(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const body = test.child('body');
  if (body === null) return null;
  const around = order.runner === 'tape' ? failByContext(test, order) : throwOrCall(test, order);
  if (around === null) return null;
  const [open, close] = around;
  if (body.type !== 'statement_block') {
    return [insert(body.start, `{${open}return `), insert(body.end, `${close}}`)];
  }
  const directives = statementsOf(body).findLast(isDirective);
  return [insert(directives?.end ?? body.start + 1, open), insert(body.end - 1, close)];
}

function throwOrCall(test: SyntaxNode, order: Order): readonly [string, string] {
  const done = doneOf(test, order.runner);
  return done === null ? throwAtEnd(order) : failByDone(done, order);
}

/**
 * `t.end()` has ended and reported the test before anything at its end could fail, and tape catches no errors, so the failure is
 * reported through the context.
 */
function failByContext(test: SyntaxNode, { fails, token, draw }: Order): readonly [string, string] | null {
  const [context = ''] = parametersOf(test);
  if (!/^[\w$]+$/.test(context)) return null;
  return [`if(${comparisonText(drawComparison(draw, fails))})${context}.fail("${token}");`, ''];
}

function throwAtEnd({ fails, token, draw }: Order): readonly [string, string] {
  const condition = comparisonText(drawComparison(draw, fails));
  return ['try{', `}finally{if(${condition})throw new Error("${token}")}`];
}

/** Once the callback was called, the test is over whatever is thrown later, so the failure is reported through the callback. */
function failByDone(done: string, { fails, token, draw, language }: Order): readonly [string, string] {
  const condition = comparisonText(drawComparison(draw, fails));
  const own = `d${draw.hex(6)}`;
  const [any, cast] = language !== 'javascript' ? [': any[]', ' as any'] : ['', ''];
  const wrapped = `Object.assign((...a${any})=>${condition}?${own}(new Error("${token}")):${own}(...a),${own})${cast}`;
  return [`const ${own}=${done}${cast};${done}=${wrapped};`, ''];
}

function isDirective(statement: SyntaxNode): boolean {
  return statement.type === 'expression_statement' && statement.parts[0]?.type === 'string';
}
