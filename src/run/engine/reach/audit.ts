import { Audit } from '../../../confine/audit/audit.ts';
import type { Port } from '../../../confine/streams/port.ts';
import type { Sandboxed, SandboxResult } from '../../../confine/types.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Attempts, NoTargetInspection } from '../../../evidence/schema/no-target.ts';
import type { Run } from '../../steps/state.ts';
import { describeSandbox } from '../../sandbox.ts';
import { recordAttempts } from './reach.ts';
import type { TargetPath } from './targets.ts';

/** Follows the trace of an engine that was started with one. */
export function auditOf(sandbox: Sandboxed, targets: readonly TargetPath[], cwd: string, port: Port | null): Audit {
  return new Audit(sandbox, {
    targets: targets.flatMap(({ path, shown_at: shown }) => [...new Set([path, ...shown])]),
    way: port === null ? null : `127.0.0.1:${port.number}`,
    cwd,
  });
}

/** Writes down what an engine was seen to try, and gives how it ended. A trace with a gap proves nothing, so it is never a pass. */
export async function takeAudit(
  run: Run,
  inspection: NoTargetInspection,
  audit: Audit,
  ended: SandboxResult,
): Promise<SandboxResult> {
  const { end, attempts, cut } = await audit.settle(ended);
  recordAttempts(run, inspection, attempts);
  noteAudit(run, attempts);
  if (end.kind === 'not_run' || cut === null) return end;
  if (cut.before === 'start') run.block(reason('audit_impossible', { why: cut.why }));
  run.raise(reason('audit_cut_off'), cut.why);
  return end;
}

function noteAudit(run: Run, attempts: Attempts): void {
  const { confinement } = run.log.report;
  if (confinement === null) return;
  const all = (kind: 'paths' | 'connections'): number =>
    attempts[kind].reduce((sum, { count }) => sum + count, attempts.not_listed[kind]);
  describeSandbox(run, {
    ...confinement,
    audit: {
      complete: attempts.complete,
      target_attempts: all('paths'),
      connection_attempts: all('connections'),
    },
  });
}
