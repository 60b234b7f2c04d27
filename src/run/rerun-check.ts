import { judgeRan } from '../evidence/report/render/test-rows.ts';
import { readRun } from '../evidence/bundle/runs.ts';
import type { TestRecord } from '../evidence/schema/report.ts';
import type { VerifyCheck } from '../evidence/verify/types.ts';
import { messageOf } from '../kernel/errors.ts';
import { rejudge, type RerunSite } from './rerun.ts';

/** Whether judging again gives what the report says: the same verdict by the same tests. */
export async function judgeAgainstReport(bundleDir: string, site: RerunSite): Promise<VerifyCheck> {
  const name = 'rerun';
  const reported = readRun(bundleDir).report?.tests;
  if (reported === undefined) return { name, ok: false, detail: 'there is no readable report to compare with' };
  if (!judgeRan(reported) && !reported.passed)
    return { name, ok: true, detail: 'the run was not judged: there is no result to compare with' };
  try {
    const again = await rejudge(bundleDir, site);
    if (again === null)
      return { name, ok: !reported.passed, detail: 'the contract names no test command: nothing to judge again' };
    const differing = differences(reported.seen, again.seen);
    const ok = again.passed === reported.passed && differing.length === 0;
    const outcome = `${again.passed ? 'passed' : `did not pass (${again.faults.join('; ')})`}, ${again.seen.length} tests`;
    return {
      name,
      ok,
      detail: ok
        ? `judged again: ${outcome}, as reported`
        : `judged again: ${outcome}; differs: ${differing.join(', ') || 'the verdict'}`,
    };
  } catch (error) {
    return { name, ok: false, detail: messageOf(error) };
  }
}

function differences(before: readonly TestRecord[], after: readonly TestRecord[]): string[] {
  const now = new Map(after.map(({ id, outcome }) => [id, outcome]));
  const changed = before.filter(({ id, outcome }) => now.get(id) !== outcome).map(({ id }) => id);
  const known = new Set(before.map(({ id }) => id));
  return [...changed, ...after.filter(({ id }) => !known.has(id)).map(({ id }) => id)];
}
