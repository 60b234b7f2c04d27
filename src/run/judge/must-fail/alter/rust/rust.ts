import type { Edit } from '../../../syntax/edits.ts';
import { attributesOf } from '../../../syntax/imports/rust.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { type Alterer, insert, type Order } from '../order.ts';
import { spellStatements } from './assertions.ts';

/** A test is a function, or the body that a macro gives to the functions it generates. */
export const rustAlterer: Alterer = {
  wrap: (test, order) => (isAlterable(test) ? wrapBody(test, order) : null),
  spell: (test, order) => (isAlterable(test) && test.type === 'function_item' ? spellStatements(test, order) : null),
};

function isAlterable(test: SyntaxNode): boolean {
  if (test.type !== 'function_item') return test.text.startsWith('{');
  const attributes = attributesOf(test).map(({ text }) => text);
  return (
    attributes.some((text) => /test|rstest|case/.test(text)) && !attributes.some((text) => /should_panic/.test(text))
  );
}

/** The body becomes a closure, so that `return` and `?` continue after it. Does not need `std`. */
function wrapBody(test: SyntaxNode, { fails, token, draw }: Order): readonly Edit[] | null {
  const body = test.child('body') ?? test;
  const returned = returnType(test);
  const unnameable = returned !== null && /\bimpl\b|^!$/.test(returned);
  if (unnameable || body.firstOfType('inner_attribute_item') !== null) return null;
  const isAsync = /\basync\b/.test(test.firstOfType('function_modifiers')?.text ?? '');
  const result = `r${draw.hex(6)}`;
  const panic = `if ${comparisonText(drawComparison(draw, fails))} { panic!("${token}") }`;
  const bound = returned === null ? '' : `let ${result}: ${returned} = `;
  const open = isAsync ? `${bound}async {` : `${bound}(|| ${returned === null ? '' : `-> ${returned} `}{`;
  const close = isAsync ? '}.await;' : '})();';
  return [
    insert(body.start + 1, open),
    insert(body.end - 1, `${close}${panic}${returned === null ? '' : ` ${result}`}`),
  ];
}

/** Null: it returns nothing. */
function returnType(test: SyntaxNode): string | null {
  if (test.type === 'function_item') return test.child('return_type')?.text ?? null;
  const before = test.parent?.children.slice(0, test.index) ?? [];
  const arrow = before.findLast(({ type }) => type === '->');
  const header = before.findLast(({ type }) => type === 'fn');
  if (arrow === undefined || (header !== undefined && arrow.start < header.start)) return null;
  return test.source.slice(arrow.end, test.start).trim();
}
