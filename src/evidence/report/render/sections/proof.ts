import type { Report } from '../../../schema/report.ts';
import { type Block, boundedList, fact, file, note, paragraph, quote, type Section } from '../document.ts';
import { onlyTestsChanged, proofText } from '../proof-text.ts';

const MAX_FILES = 50;

/** What the tests of the base prove about a change to a repository, and which files had no vote on it. */
export function proofSections(report: Report): readonly Section[] {
  const { deciding, tests } = report;
  if (report.proof === undefined) return [];
  const proven = report.status === 'pass' && !onlyTestsChanged(report);
  return [
    {
      id: 'proof',
      title: 'Proof',
      blocks: [
        note(
          report.proof === 'fixed' && proven ? 'good' : report.status === 'pass' ? 'warn' : 'bad',
          proofText(report, 'counts'),
        ),
        ...testBlocks(report),
        ...(deciding === undefined || deciding === null ? [] : voteBlocks(deciding)),
        ...(tests.must_fail === undefined ? [] : mustFailBlocks(tests.must_fail)),
        paragraph('How the tests stood before the change: ', file('base-record.json'), '.'),
      ],
    },
  ];
}

/** The tests that changed from failing to passing, and those that still fail, one a line. */
function testBlocks({ status, fixed = [], baseline }: Report): readonly Block[] {
  if (status !== 'pass') return [];
  const rows = [
    ...fixed.map((id) => ({ state: 'fixed', tone: 'good' as const, text: [quote(id)] })),
    ...(baseline?.comparison.tests?.still_failing ?? []).map((id) => ({
      state: 'still failing',
      tone: 'warn' as const,
      text: [quote(id)],
    })),
  ];
  return rows.length === 0
    ? []
    : boundedList(rows, MAX_FILES, (some) => ({ kind: 'states', rows: some }), file('report.json'));
}

function voteBlocks({
  found_by: foundBy,
  no_vote: noVote,
  own_tests: ownTests = [],
  refused,
  allowed,
}: NonNullable<Report['deciding']>): readonly Block[] {
  const rows = [
    ...refused.map(({ path, why }) => ({
      state: 'refused',
      tone: 'bad' as const,
      text: [quote(path), ': ', quote(why)],
    })),
    ...allowed.map((path) => ({ state: 'allowed', tone: 'warn' as const, text: [quote(path)] })),
    ...noVote.map(({ path, why }) => ({
      state: 'no vote',
      tone: 'plain' as const,
      text: [quote(path), ': ', quote(why)],
    })),
    ...ownTests.map((path) => ({
      state: 'no vote',
      tone: 'plain' as const,
      text: ['changed tests inside of ', quote(path)],
    })),
  ];
  const how = {
    strace: 'by tracing the tests on the base',
    access_times: 'by access times while the tests ran on the base',
    names: 'by their names alone, because the tests could not be observed',
  }[foundBy];
  return [
    paragraph(
      `Which files decide was found ${how}. Where the change touches such a file, the base's version was used.`,
    ),
    ...(rows.length === 0
      ? []
      : boundedList(rows, MAX_FILES, (some) => ({ kind: 'states', rows: some }), file('report.json'))),
  ];
}

function mustFailBlocks(mustFail: NonNullable<Report['tests']['must_fail']>): readonly Block[] {
  const { seed, sampled, altered, alarms, not_altered: notAltered } = mustFail;
  return [
    paragraph(
      'Copies of tests were altered so that they must fail, or must still pass, to show for this patch that the tests can tell the two apart. Answers that are merely fitted to the literals in the visible tests are not found this way.',
    ),
    {
      kind: 'facts',
      rows: [
        fact('Tests sampled', `${sampled}`),
        fact('Tests altered', `${altered}`),
        fact('Could not be altered', `${notAltered.length}`),
        fact('Answered wrongly', alarms.length === 0 ? 'none' : quote(alarms.map(({ test }) => test).join(', '))),
        fact('Seed', quote(seed)),
      ],
    },
  ];
}
