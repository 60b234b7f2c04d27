import type { Report } from '../../../schema/report.ts';
import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import {
  type Block,
  type Section,
  type StateRow,
  type Tone,
  boundedList,
  fact,
  file,
  note,
  paragraph,
  quote,
} from '../document.ts';
import { type TestRow, furtherNote, judgeRan, testRows, testsSummary } from '../test-rows.ts';
import type { ReportView } from '../view.ts';
import { ISOLATION_MEANING, ISOLATION_WORD, durationText, plural } from '../text/words.ts';

export function testsSection(view: ReportView, bounds: Bounds): Section {
  const { tests } = view.report;
  return {
    id: 'tests',
    title: 'Tests',
    blocks: [
      ...resultBlocks(tests, view.report.base_record !== undefined),
      ...rowBlocks(tests, bounds),
      ...logBlocks(view, bounds),
    ],
  };
}

function resultBlocks(tests: Report['tests'], againstBase: boolean): readonly Block[] {
  const command = tests.command === null ? 'none' : quote(tests.command);
  if (!judgeRan(tests)) {
    return [
      paragraph('The tests did not run.'),
      { kind: 'facts', rows: [fact('Command', command), ...(againstBase ? [] : [expectedFact(tests)])] },
    ];
  }
  const further = furtherNote(tests);
  const shared = tests.isolation === 'in_process';
  return [
    note(
      tests.passed ? 'good' : 'bad',
      tests.passed ? 'Passed: ' : 'Not passed: ',
      `${testsSummary(tests, againstBase)}.`,
    ),
    {
      kind: 'facts',
      rows: [
        fact('Command', command),
        fact('Exit code', tests.exit_code === null ? 'none' : String(tests.exit_code), ' (alone it never decides)'),
        fact('Duration', tests.duration_ms === null ? 'not recorded' : durationText(tests.duration_ms)),
        ...(againstBase ? [] : [expectedFact(tests)]),
        fact('Reported', plural(tests.seen.length, 'test')),
        fact('Isolation', ISOLATION_WORD[tests.isolation]),
      ],
    },
    note(shared ? 'warn' : 'plain', ISOLATION_MEANING[tests.isolation]),
    ...(further === null ? [] : [note('warn', 'The judge adds: ', quote(further))]),
  ];
}

function expectedFact(tests: Report['tests']): ReturnType<typeof fact> {
  return fact('Expected', tests.expected.length === 0 ? 'not recorded' : plural(tests.expected.length, 'test'));
}

function rowBlocks(tests: Report['tests'], bounds: Bounds): readonly Block[] {
  const rows = testRows(tests);
  if (rows.length === 0) return [];
  return boundedList(
    rows,
    bounds.listItems,
    (shown) => ({ kind: 'states', rows: shown.map(stateRow) }),
    file('report.json'),
  );
}

const TONE_OF: Readonly<Record<TestRow['outcome'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  error: 'bad',
  skipped: 'warn',
  'not reported': 'bad',
};

function stateRow(row: TestRow): StateRow {
  const aside = row.expected === 'no' ? [' (not among the expected)'] : [];
  return { state: row.outcome, tone: TONE_OF[row.outcome], text: [quote(row.id), ...aside] };
}

function logBlocks(view: ReportView, bounds: Bounds): readonly Block[] {
  if (view.testLog === '') return [];
  const { text, cut } = boundedLines(view.testLog, bounds.logLines, bounds.lineLength);
  return [
    { kind: 'output', text, summary: 'Log of the judge', collapsed: view.report.status === 'pass' },
    ...(cut || view.testLogCut
      ? [note('warn', 'Only a part of the log is shown here. All of it is in ', file('test.log'), '.')]
      : []),
  ];
}
