import { type Block, boundedList, file, quote, type Section, type StateRow } from '../document.ts';
import { failingTests } from '../failing-tests.ts';
import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import { tellingOutput } from '../telling-output.ts';
import type { ReportView } from '../view.ts';

const OUTPUT_LINES = 40;

/** The tests that speak against the run, with the last lines of the program that explains why. */
export function failingSections(view: ReportView, bounds: Bounds): readonly Section[] {
  const failing = failingTests(view.report);
  const output = outputBlocks(view, bounds);
  if (failing.length === 0 && output.length === 0) return [];
  const rows = failing.map(({ what, id }): StateRow => ({ state: what, tone: 'bad', text: [quote(id)] }));
  return [
    {
      id: 'failing',
      title: failing.length === 0 ? 'What was printed' : 'Failing tests',
      blocks: [
        ...(rows.length === 0
          ? []
          : boundedList(rows, bounds.listItems, (some) => ({ kind: 'states', rows: some }), file('report.json'))),
        ...output,
      ],
    },
  ];
}

function outputBlocks(view: ReportView, bounds: Bounds): readonly Block[] {
  const output = tellingOutput(view, OUTPUT_LINES);
  if (output === null) return [];
  const { text } = boundedLines(output.lines.join('\n'), OUTPUT_LINES, bounds.lineLength);
  return [{ kind: 'output', text, summary: `Last lines that the ${output.by} printed`, collapsed: false }];
}
