import { type Block, boundedList, file, quote, type Section, type StateRow } from '../document.ts';
import { failingTests } from '../failing-tests.ts';
import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import type { ReportView } from '../view.ts';
import { lastLines } from '../../test-output.ts';

const OUTPUT_LINES = 40;

/** The tests that speak against the run, with the end of what they printed. */
export function failingSections(view: ReportView, bounds: Bounds): readonly Section[] {
  const failing = failingTests(view.report);
  if (failing.length === 0) return [];
  const rows = failing.map(({ what, id }): StateRow => ({ state: what, tone: 'bad', text: [quote(id)] }));
  return [
    {
      id: 'failing',
      title: 'Failing tests',
      blocks: [
        ...boundedList(rows, bounds.listItems, (some) => ({ kind: 'states', rows: some }), file('report.json')),
        ...outputBlocks(view, bounds),
      ],
    },
  ];
}

function outputBlocks({ testOutputEnd }: ReportView, bounds: Bounds): readonly Block[] {
  const lines = lastLines(testOutputEnd, OUTPUT_LINES);
  if (lines.length === 0) return [];
  const { text } = boundedLines(lines.join('\n'), OUTPUT_LINES, bounds.lineLength);
  return [{ kind: 'output', text, summary: 'Last lines that the tests printed', collapsed: false }];
}
