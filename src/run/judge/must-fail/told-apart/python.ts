import { marginAt, runStatements } from '../alter/python/body.ts';
import type { ComparisonReader, ValueComparison } from './comparison-site.ts';
import { betweenSides, type StatementPlace } from './sides.ts';

export const pythonComparisons: ComparisonReader = {
  comparisonsIn: (test) => {
    const statements = runStatements(test);
    return statements.flatMap((statement) => compared({ statement, statements }));
  },
  insertion: (demand, test, at) => {
    const margin = marginAt(test.source, at);
    return margin === null ? `${demand}; return; ` : `${demand}\n${margin}return\n${margin}`;
  },
};

const CHECKING = /^_*(?:assert|check|expect|verify|ensure|same|equal|compare|must)/i;

function compared(at: StatementPlace): readonly ValueComparison[] {
  const { statement } = at;
  const [first] = statement.parts;
  if (first === undefined) return [];
  if (statement.type === 'assert_statement') {
    const [operator, ...more] = first.type === 'comparison_operator' ? first.childrenBy('operators') : [];
    const [left, right] = first.parts;
    if (operator?.type !== '==' || more.length > 0) return [];
    return betweenSides(left, right, at, (actual, expected) => `assert (${actual}) == (${expected})`);
  }
  const callee = first.type === 'call' ? first.child('function') : null;
  const name = (callee?.child('attribute') ?? callee)?.text ?? '';
  const [left, right] = first.child('arguments')?.parts ?? [];
  if (callee === null || !CHECKING.test(name)) return [];
  return betweenSides(left, right, at, (actual, expected) => `${callee.text}(${actual}, ${expected})`);
}
