import { reason } from '../../evidence/reasons/catalogue.ts';
import { anyWithCode, type ExpectedReason } from '../../engines/self-test.ts';
import { MISBEHAVIOURS, type MisbehaviourName } from '../../engines/fake/misbehaviours.ts';
import type { EventType } from '../../evidence/schema/events.ts';
import { EXIT } from '../../kernel/exit-codes.ts';
import { misbehavingRequest } from './misbehaving.ts';
import { runTask } from '../run.ts';
import { type Expected, type Row, seenIn } from './row.ts';

/** The failure matrix: every way a run can fail, with its required outcome. */
export const FAILURES: readonly Row[] = [
  row('no diff', reason('no_diff'), 'git.diff.checked', 'fail'),
  row('disallowed file', reason('disallowed_file', { path: 'UNASKED.md' }), 'git.diff.checked', 'fail'),
  row('failed tests', reason('tests_failed'), 'verification.completed', 'fail'),
  row('missing test command', reason('missing_test_command'), 'gate.checked', 'blocked'),
  row('missing event', reason('missing_event', { event: 'engine.tool' }), 'run.completed', 'fail'),
  row('reviewer reject', reason('reviewer_rejected'), 'review.completed', 'fail'),
  row('approval denied', reason('approval_denied', { action: 'deliver' }), 'approval.denied', 'blocked'),
  row('timeout', reason('engine_timed_out', { engine: 'fake' }), 'backend.timeout', 'fail'),
  row('timeout after a valid patch', reason('timeout_after_patch', { engine: 'fake' }), 'backend.timeout', 'fail'),
  row('dirty starting tree', reason('dirty_starting_tree'), 'gate.checked', 'blocked'),
  row('dirty ending tree', reason('dirty_ending_tree'), 'git.diff.checked', 'fail'),
  row(
    'artifact write failure',
    reason('artifact_write_failed', { path: 'patch.diff' }),
    'run.completed',
    'blocked',
    EXIT.evidenceLost,
  ),
  row('provider unavailable', reason('provider_unavailable'), 'provider.unavailable', 'blocked'),
  row('claimed commit not there', reason('claimed_commit_missing'), 'git.diff.checked', 'fail'),
  row('tests silenced', anyWithCode('expected_tests_missing'), 'verification.completed', 'fail'),
];

function row(
  name: MisbehaviourName,
  wanted: ExpectedReason,
  event: EventType,
  status: 'fail' | 'blocked',
  exit: Expected['exit'] = EXIT[status],
): Row {
  return {
    name,
    kind: 'failures',
    expected: { reason: wanted, event, status, exit },
    slow: name.startsWith('timeout'),
    play: async (request) => {
      const report = await runTask(misbehavingRequest(request, MISBEHAVIOURS[name]));
      return { seen: seenIn(report), run: report.run_id };
    },
  };
}
