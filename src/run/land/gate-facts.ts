import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import { BASE_RECORD_FILE, baseRecord } from '../../evidence/schema/base-record.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { pathText } from '../../kernel/path-text.ts';
import type { TreeChange } from '../../task/git/lay-changes.ts';
import { isFailing } from '../judge/change/compare.ts';
import type { GateFacts } from './holds.ts';

/** Reads from the bundle of a passed judgement what its report does not repeat. */
export function readGateFacts(
  report: Report,
  changes: readonly TreeChange[],
): Pick<GateFacts, 'flaky' | 'failingBefore' | 'unvoted'> {
  if (report.status !== 'pass') return { flaky: [], failingBefore: new Set(), unvoted: [] };
  const judged = readEvents(join(report.run_dir, EVENTS_FILE)).findLast(({ type }) => type === 'change.judged');
  const record = baseRecord.parse(JSON.parse(readFileSync(join(report.run_dir, BASE_RECORD_FILE), 'utf8')));
  const { no_vote: noVote = [], own_tests: ownTests = [] } = report.deciding ?? {};
  const silent = new Set([...noVote.map(({ path }) => path), ...ownTests]);
  return {
    flaky: judged?.type === 'change.judged' ? judged.data.flaky : [],
    failingBefore: new Set(record.tests.filter(isFailing).map(({ id }) => id)),
    unvoted: changes
      .filter(({ added }) => !added)
      .map(({ path }) => pathText(path))
      .filter((path) => silent.has(path)),
  };
}
