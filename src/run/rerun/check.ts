import { reason } from '../../evidence/reasons/catalogue.ts';
import { codesOf } from '../../evidence/reasons/explain.ts';
import { type Reason, reasonTexts } from '../../evidence/reasons/reason.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import {
  compareTests,
  isRegression,
  regressionsIn,
  statedRegressions,
  testsRan,
} from '../../evidence/report/before-after.ts';
import { judgeRan } from '../../evidence/report/render/test-rows.ts';
import { readRun } from '../../evidence/bundle/runs.ts';
import type { Report, TestRecord } from '../../evidence/schema/report.ts';
import type { VerifyCheck } from '../../evidence/verify/types.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import type { JudgedTrees } from '../judge/change/trees/judge-trees.ts';
import { rejudge, type RejudgedTask, type RerunEnvironment } from './rerun.ts';

/** Whether judging again gives what the report says: the same verdict by the same tests, before and after the change. */
export async function judgeAgainstReport(
  bundleDir: string,
  environment: RerunEnvironment,
  fresh = false,
): Promise<VerifyCheck> {
  const name = 'rerun';
  const { report } = readRun(bundleDir);
  if (report === null) return { name, ok: false, detail: 'there is no readable report to compare with' };
  if (!judgeRan(report.tests) && !report.tests.passed)
    return { name, ok: true, detail: 'the run was not judged: there is no result to compare with' };
  try {
    const again = await rejudge(bundleDir, environment, fresh);
    if (again === null)
      return { name, ok: !report.tests.passed, detail: 'the contract names no test command: nothing to judge again' };
    const compared = again.kind === 'change' ? compareChange(report, again.judged) : compare(report, again);
    if (compared.ok) return { name, ...compared };
    const missing = ofThisMachine(again.kind === 'change' ? again.judged.reasons : again.patched.faults);
    return missing === null ? { name, ...compared } : { name, ...notTried(missing.text) };
  } catch (error) {
    return isOfThisMachine(error)
      ? { name, ...notTried(messageOf(error)) }
      : { name, ok: false, detail: messageOf(error) };
  }
}

const notTried = (why: string): Omit<VerifyCheck, 'name'> => ({
  ok: false,
  not_tried: true,
  detail: `could not be tried here: ${why}`,
});

/** What this machine lacks, or what stopped it. All other reasons are about the bundle. */
const MACHINE_CODES: ReadonlySet<string> = new Set([
  'needs_image',
  'no_image_builder',
  'not_installed',
  'tests_not_started',
  'interrupted',
  'registry_unreachable',
  'registry_refused',
  'provision_file_missing',
  'setup_tool_missing',
  'ensurepip_missing',
  'bubblewrap_missing',
  'bubblewrap_too_old',
  'git_not_installed',
  'pipes_not_created',
  'scratch_full',
]);

/** The first reason decides. */
function ofThisMachine([first]: readonly Reason[]): Reason | null {
  return first !== undefined && MACHINE_CODES.has(first.code) ? first : null;
}

function isOfThisMachine(error: unknown): boolean {
  if (error instanceof Refused) return ofThisMachine(error.reasons) !== null;
  return error instanceof SeatrialError && error.code === 'blocked';
}

function compare(report: Report, { patched, base: judged }: RejudgedTask): Omit<VerifyCheck, 'name'> {
  const { tests, baseline, status } = report;
  // A run that ended before its control has nothing to compare with.
  const base = baseline === null && status !== 'pass' ? null : judged;
  const regressions = base === null ? [] : regressionsIn(compareTests(base.seen, patched.seen));
  const reasons = regressions.map(({ reason: regression }) => regression.text);
  const stated = statedRegressions(report);
  const unrecorded = reason('tests_not_run_on_base');
  const differing = [
    ...differences(tests.seen, patched.seen),
    ...regressions
      .filter(({ reason: { text } }) => !stated.includes(text))
      .map(({ reason: { text }, ids }) => `${text} (${ids.join(', ')})`),
    ...stated.filter((text) => !reasons.includes(text)),
    ...(base !== null && !testsRan(base) && !codesOf(report).includes(unrecorded.code)
      ? [`${unrecorded.text} (${reasonTexts(base.faults).join('; ')})`]
      : []),
  ];
  const ok = patched.passed === tests.passed && differing.length === 0;
  const faults = [...reasonTexts(patched.faults), ...reasons];
  const outcome = `${faults.length === 0 ? 'passed' : `did not pass (${faults.join('; ')})`}, ${patched.seen.length} tests`;
  return {
    ok,
    detail: ok
      ? `judged again: ${outcome}, as reported`
      : `judged again: ${outcome}; differs: ${differing.join(', ') || 'the verdict'}`,
  };
}

/** Tests without a vote may come out either way; all others have to come out as reported, and so has the verdict. */
function compareChange(
  { tests, baseline }: Report,
  { verdict, reasons, patched, base }: JudgedTrees,
): Omit<VerifyCheck, 'name'> {
  const seen = patched?.seen ?? [];
  const heard = new Set([...seen, ...base.seen].map(({ id }) => id));
  const differing = differences(
    tests.seen.filter(({ id }) => heard.has(id)),
    seen.map(({ id, outcome }) => ({ id, outcome })),
  );
  const compared = baseline?.comparison.tests ?? null;
  const lost =
    compared === null || verdict === 'pass' ? [] : reasonTexts(reasons.filter(({ code }) => isRegression(code)));
  const ok = (verdict === 'pass') === tests.passed && differing.length === 0;
  const outcome = `${verdict === 'pass' ? 'passed' : `did not pass (${reasonTexts(reasons).join('; ')})`}, ${seen.length} tests`;
  const others = [...differing, ...(ok ? [] : lost)];
  return {
    ok,
    detail: ok
      ? `judged again: ${outcome}, as reported`
      : `judged again: ${outcome}; differs: ${others.join(', ') || 'the verdict'}`,
  };
}

function differences(before: readonly TestRecord[], after: readonly TestRecord[]): string[] {
  const now = new Map(after.map(({ id, outcome }) => [id, outcome]));
  const changed = before.filter(({ id, outcome }) => now.get(id) !== outcome).map(({ id }) => id);
  const known = new Set(before.map(({ id }) => id));
  return [...changed, ...after.filter(({ id }) => !known.has(id)).map(({ id }) => id)];
}
