import { MISBEHAVIOURS, type MisbehaviourName } from '../../engines/fake/misbehaviours.ts';
import type { EventType } from '../../evidence/schema/events.ts';
import { EXIT } from '../../kernel/exit-codes.ts';
import { misbehavingOrder } from './misbehaving.ts';
import { runTask } from '../run.ts';
import { type Expected, type Row, seenIn } from './row.ts';

/** The failure matrix: every way a run can fail, with its required outcome. */
export const FAILURES: readonly Row[] = [
  row('no diff', /^no diff produced$/, 'git.diff.checked', 'fail'),
  row('disallowed file', /^disallowed file changed: UNASKED\.md$/, 'git.diff.checked', 'fail'),
  row('failed tests', /^tests failed$/, 'verification.completed', 'fail'),
  row('missing test command', /^missing test command$/, 'gate.checked', 'blocked'),
  row('missing event', /^missing required event: engine\.tool$/, 'run.completed', 'fail'),
  row('reviewer reject', /^reviewer rejected$/, 'review.completed', 'fail'),
  row('approval denied', /^approval denied: deliver$/, 'approval.denied', 'blocked'),
  row('timeout', /^fake engine failed with exit code 124$/, 'backend.timeout', 'fail'),
  row('timeout after a valid patch', /^fake lifecycle timeout after valid patch$/, 'backend.timeout', 'fail'),
  row('dirty starting tree', /^dirty starting tree$/, 'gate.checked', 'blocked'),
  row('dirty ending tree', /^dirty ending tree$/, 'git.diff.checked', 'fail'),
  row('artifact write failure', /^artifact write failed: patch\.diff$/, 'run.completed', 'blocked', EXIT.evidenceLost),
  row('provider unavailable', /^provider unavailable$/, 'provider.unavailable', 'blocked'),
  row('claimed commit not there', /^claimed commit not found$/, 'git.diff.checked', 'fail'),
  row('tests silenced', /^expected tests not reported: \d+$/, 'verification.completed', 'fail'),
];

function row(
  name: MisbehaviourName,
  reason: RegExp,
  event: EventType,
  status: 'fail' | 'blocked',
  exit: Expected['exit'] = EXIT[status],
): Row {
  return {
    name,
    kind: 'failures',
    expected: { reason, event, status, exit },
    slow: name.startsWith('timeout'),
    play: async (request) => {
      const report = await runTask(misbehavingOrder(request, MISBEHAVIOURS[name]));
      return { seen: seenIn(report), run: report.run_id };
    },
  };
}
