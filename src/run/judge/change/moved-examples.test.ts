import { expect, test } from 'vitest';
import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import { findMovedExamples } from './moved-examples.ts';

const seen = (...ids: string[]): readonly RecordedTest[] => ids.map((id) => ({ id, outcome: 'passed', file: null }));
const GRID = (value: number): string =>
  `/// A grid.\n///\n/// \`\`\`\n/// assert_eq!(grid::Grid::new(2).len(), ${value});\n/// \`\`\`\npub struct Grid;\n`;
const METHOD =
  'impl Grid {\n    /// ```\n    /// grid::Grid::new(1);\n    /// ```\n    pub fn new(n: usize) -> Self { Grid }\n}\n';

async function moved(before: string[], now: string[], base: string, after: string): Promise<object> {
  const found = await findMovedExamples(seen(...before), seen(...now), {
    base: (path) => (path === 'src/lib.rs' ? base : null),
    deciding: (path) => (path === 'src/cells.rs' ? after : null),
  });
  return Object.fromEntries(found);
}

const FROM = 'src/lib.rs - Grid (example 1)';
const TO = 'src/cells.rs - cells::Grid (example 1)';

test('an example that went to another file with its item is the same test', async () => {
  expect(await moved([FROM], [TO], GRID(2), `//! Cells.\n${GRID(2)}`)).toEqual({ [FROM]: TO });
});

test('one of a method goes with its type', async () => {
  const from = 'src/lib.rs - Grid::new (example 1)';
  const to = 'src/cells.rs - cells::Grid::new (example 1)';
  expect(await moved([from], [to], GRID(2) + METHOD, GRID(2) + METHOD)).toEqual({ [from]: to });
  expect(await moved([from], ['src/cells.rs - cells::Other::new (example 1)'], METHOD, METHOD)).toEqual({});
});

test('one that says something else there is not', async () => {
  expect(await moved([FROM], [TO], GRID(2), GRID(3))).toEqual({});
  expect(await moved([FROM], [TO], GRID(2), GRID(2) + GRID(2))).toEqual({});
});

test('nor is it where the item is still in its place, or two could be meant', async () => {
  expect(await moved([FROM], [FROM, TO], GRID(2), GRID(2))).toEqual({});
  expect(await moved([FROM], [TO, 'src/more.rs - more::Grid (example 1)'], GRID(2), GRID(2))).toEqual({});
});
