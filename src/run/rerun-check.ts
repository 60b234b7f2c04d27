import {
  compareTests,
  isRegressionReason,
  NOT_RUN_ON_BASE,
  regressionsIn,
  testsRan,
} from '../evidence/report/before-after.ts';
import { judgeRan } from '../evidence/report/render/test-rows.ts';
import { readRun } from '../evidence/bundle/runs.ts';
import type { Report, TestRecord } from '../evidence/schema/report.ts';
import type { VerifyCheck } from '../evidence/verify/types.ts';
import { messageOf } from '../kernel/errors.ts';
import { rejudge, type Rejudged, type RerunSite } from './rerun.ts';

/** Whether judging again gives what the report says: the same verdict by the same tests, before and after the change. */
export async function judgeAgainstReport(bundleDir: string, site: RerunSite): Promise<VerifyCheck> {
  const name = 'rerun';
  const { report } = readRun(bundleDir);
  if (report === null) return { name, ok: false, detail: 'there is no readable report to compare with' };
  if (!judgeRan(report.tests) && !report.tests.passed)
    return { name, ok: true, detail: 'the run was not judged: there is no result to compare with' };
  try {
    const again = await rejudge(bundleDir, site);
    if (again === null)
      return { name, ok: !report.tests.passed, detail: 'the contract names no test command: nothing to judge again' };
    return { name, ...compare(report, again) };
  } catch (error) {
    return { name, ok: false, detail: messageOf(error) };
  }
}

function compare(
  { tests, blockers, baseline, status }: Report,
  { patched, base: judged }: Rejudged,
): Omit<VerifyCheck, 'name'> {
  // A run that ended before its control has nothing to compare with.
  const base = baseline === null && status !== 'pass' ? null : judged;
  const regressions = base === null ? [] : regressionsIn(compareTests(base.seen, patched.seen));
  const reasons = regressions.map(({ reason }) => reason);
  const stated = blockers.filter(isRegressionReason);
  const differing = [
    ...differences(tests.seen, patched.seen),
    ...regressions
      .filter(({ reason }) => !stated.includes(reason))
      .map(({ reason, ids }) => `${reason} (${ids.join(', ')})`),
    ...stated.filter((reason) => !reasons.includes(reason)),
    ...(base !== null && !testsRan(base) && !blockers.includes(NOT_RUN_ON_BASE)
      ? [`${NOT_RUN_ON_BASE} (${base.faults.join('; ')})`]
      : []),
  ];
  const ok = patched.passed === tests.passed && differing.length === 0;
  const faults = [...patched.faults, ...reasons];
  const outcome = `${faults.length === 0 ? 'passed' : `did not pass (${faults.join('; ')})`}, ${patched.seen.length} tests`;
  return {
    ok,
    detail: ok
      ? `judged again: ${outcome}, as reported`
      : `judged again: ${outcome}; differs: ${differing.join(', ') || 'the verdict'}`,
  };
}

function differences(before: readonly TestRecord[], after: readonly TestRecord[]): string[] {
  const now = new Map(after.map(({ id, outcome }) => [id, outcome]));
  const changed = before.filter(({ id, outcome }) => now.get(id) !== outcome).map(({ id }) => id);
  const known = new Set(before.map(({ id }) => id));
  return [...changed, ...after.filter(({ id }) => !known.has(id)).map(({ id }) => id)];
}
