import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { spellAssertions } from './assertions.ts';
import { doneOf, statementsOf } from './body.ts';
import { type Alterer, insert, type Order } from '../order.ts';

export const javascriptAlterer: Alterer = { wrap: wrapBody, spell: spellAssertions };

/** Everything is put into lines that are there, so that no line changes its number. */
function wrapBody(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const body = test.child('body');
  if (body === null) return null;
  const done = doneOf(test, order.runner);
  const [open, close] = done === null ? throwAtEnd(order) : failByDone(done, order);
  if (body.type !== 'statement_block') {
    return [insert(body.start, `{${open}return `), insert(body.end, `${close}}`)];
  }
  const directives = statementsOf(body).findLast(isDirective);
  return [insert(directives?.end ?? body.start + 1, open), insert(body.end - 1, close)];
}

function throwAtEnd({ fails, token, draw }: Order): readonly [string, string] {
  const condition = comparisonText(drawComparison(draw, fails));
  return ['try{', `}finally{if(${condition})throw new Error("${token}")}`];
}

/** A callback that was called once ends the test, whatever is thrown later: so the callback brings the failure. */
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
