import { regressionsIn, splitStillFailing } from '../../before-after.ts';
import type { BeforeAfter, Report } from '../../../schema/report.ts';
import { type Block, type Fact, type Section, fact, file, note, paragraph, quote } from '../document.ts';

export function controlSection(report: Report): Section {
  return { id: 'control', title: 'Control', blocks: controlBlocks(report) };
}

function controlBlocks(report: Report): readonly Block[] {
  const { baseline } = report;
  if (baseline === null) {
    return [
      report.backend === 'fake'
        ? paragraph('None: the fake engine applies the known solution and is the control of other runs.')
        : paragraph('No control run is part of this run, so nothing shows that the task can be passed here and now.'),
    ];
  }
  const { comparison } = baseline;
  if (comparison.tests !== null) return beforeBlocks(baseline.run_id, comparison.tests);
  const changed = Object.entries(comparison.changed_files).map(([engine, files]): Fact => ({
    label: 'Changed by',
    value: [quote(engine), ': ', files.length === 0 ? 'nothing' : quote(files.join(', '))],
  }));
  const paths = Object.entries(baseline.paths).map(([engine, path]): Fact => ({
    label: 'Artifacts of',
    value: [quote(engine), ': ', file(path)],
  }));
  return [
    paragraph(
      'The same contract, run with a known outcome in the same run: it shows that the task can be passed here and now.',
    ),
    note(baseline.status === 'pass' ? 'good' : 'bad', `The control run ended with: ${baseline.status}.`),
    {
      kind: 'facts',
      rows: [
        fact('Control run', quote(baseline.run_id)),
        fact('Same status', comparison.same_status ? 'yes' : 'no'),
        fact('Same patch', comparison.same_patch ? 'yes' : 'no, which alone says nothing against it'),
        ...changed,
        ...paths,
      ],
    },
  ];
}

const MAX_IDS = 50;

/** Without an oracle the control changed nothing: it records the test results before the change. */
function beforeBlocks(runId: string, tests: BeforeAfter): readonly Block[] {
  const lost = tests.no_longer_reported ?? [];
  const { stillFailing, noLongerLoads } = splitStillFailing(tests);
  const row = (label: string, ids: readonly string[]): Fact =>
    fact(
      label,
      `${ids.length}`,
      ids.length === 0 ? '' : ': ',
      ids.length === 0 ? '' : quote(ids.slice(0, MAX_IDS).join(', ')),
      ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more, all in report.json` : '',
    );
  return [
    paragraph(
      'The same tests were run before the change, on the tree as it was given. Every test that ran then must run again, and none that passed may fail.',
    ),
    note(
      regressionsIn(tests).length === 0 ? 'good' : 'bad',
      `${tests.fixed.length} fixed, ${tests.still_passing.length} still passing, ${tests.newly_failing.length} newly failing, ${lost.length} no longer reported, ${stillFailing.length} still failing.`,
    ),
    {
      kind: 'facts',
      rows: [
        row('Fixed', tests.fixed),
        row('Newly failing', tests.newly_failing),
        row('No longer reported', lost),
        ...(noLongerLoads.length === 0 ? [] : [row('No longer loading', noLongerLoads)]),
        row('Still failing', stillFailing),
        row('Still passing', tests.still_passing),
        fact('Run before the change', quote(runId)),
      ],
    },
  ];
}
