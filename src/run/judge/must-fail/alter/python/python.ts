import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { type Alterer, insert, type Order } from '../order.ts';
import { countPythonChoices, spellPythonAssertions } from './assertions.ts';
import { lineEnd, marginAt, pythonOwnNodes, runStatements } from './body.ts';

export const pythonAlterer: Alterer = {
  wrap: (test, order) => (isAlterable(test) ? wrapBody(test, order) : null),
  spell: (test, order) => (isAlterable(test) ? spellPythonAssertions(test, order) : null),
  choices: countPythonChoices,
};

/** A generator is not a test, and a test that is expected to fail proves nothing by failing. */
function isAlterable(test: SyntaxNode): boolean {
  const decorators = test.parent?.type === 'decorated_definition' ? [...test.parent.ofType('decorator')] : [];
  if (decorators.some(({ text }) => /expectedFailure|xfail/.test(text))) return false;
  return test.child('body') !== null && pythonOwnNodes(test, 'yield').length === 0;
}

/** `try: body finally: if …: raise`. The docstring stays first. */
function wrapBody(test: SyntaxNode, { fails, token, draw }: Order): readonly Edit[] | null {
  const statements = runStatements(test);
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined) return null;
  const condition = comparisonText(drawComparison(draw, fails));
  const margin = marginAt(test.source, first.start);
  return margin === null
    ? wrapOneLine(test, first, condition, token)
    : [
        insert(first.start, `try:\n${margin}${stepOf(margin)}`),
        ...indentLines(test, first.start, last.end, stepOf(margin)),
        insert(lineEnd(test.source, last.end), raising(margin, condition, token)),
      ];
}

/** `def test_a(): statement; statement`. */
function wrapOneLine(test: SyntaxNode, first: SyntaxNode, condition: string, token: string): readonly Edit[] | null {
  const body = test.child('body');
  const outer = marginAt(test.source, test.start);
  if (body === null || outer === null || first.start !== body.start) return null;
  const margin = outer + (outer.startsWith('\t') ? '\t' : '    ');
  return [
    insert(body.start, `\n${margin}try:\n${margin}${stepOf(margin)}`),
    insert(body.end, raising(margin, condition, token)),
  ];
}

function raising(margin: string, condition: string, token: string): string {
  const step = stepOf(margin);
  return `\n${margin}finally:\n${margin}${step}if ${condition}:\n${margin}${step}${step}raise AssertionError("${token}")`;
}

const stepOf = (margin: string): string => (margin.startsWith('\t') ? '\t' : ' ');

/** Lines that begin inside a string stay unchanged. */
function indentLines(test: SyntaxNode, start: number, end: number, step: string): readonly Edit[] {
  const strings = [...test.ofType('string')];
  const edits: Edit[] = [];
  for (let at = test.source.indexOf('\n', start); at !== -1 && at < end; at = test.source.indexOf('\n', at + 1)) {
    const lineStart = at + 1;
    if (!strings.some((string) => string.start < lineStart && lineStart < string.end))
      edits.push(insert(lineStart, step));
  }
  return edits;
}
