import type { Audit } from '../../confine/audit/audit.ts';
import { requireTracer, withAudit } from '../../confine/audit/start.ts';
import { carryRelay, type Port, portLost, withPort } from '../../confine/streams/port.ts';
import type { Sandboxed } from '../../confine/types.ts';
import type { Cause } from '../../engines/definition.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { asError } from '../../kernel/errors.ts';
import { auditOf, takeAudit } from '../engine/reach/audit.ts';
import { EngineEventRecorder } from '../engine/output/event-recorder.ts';
import { holdConversation } from '../engine/conversation.ts';
import { rawLogs, recordEngineExit } from '../engine/exit.ts';
import { keepOutput } from '../engine/output/output.ts';
import { prepareLaunch, type PreparedLaunch, type Workplace } from '../engine/prepare-launch.ts';
import { guardProtectedRoots } from '../engine/reach/protected-roots.ts';
import { EngineSession } from '../engine/session.ts';
import { watchCompletion } from '../engine/watch-completion.ts';
import type { Cut } from '../model/exchange-log.ts';
import { isAudited } from '../request.ts';
import type { Run } from './state.ts';

/** What the engine did and claimed. `endedAtMs`: nothing of it could write from then on. */
export interface EngineOutcome {
  readonly endedAtMs: number;
  readonly claims: readonly string[];
  /** Why it changed nothing, as far as its logs tell. */
  readonly explainNoChange: () => Cause | null;
}

/**
 * Starts the engine in the workspace and stays until nothing of it is left. Whatever goes wrong from its start on is held against the
 * run and not thrown: there may be work to keep.
 */
export async function runEngine(run: Run, place: Workplace): Promise<EngineOutcome> {
  const { signal, environment } = run.request;
  const { admitted } = place;
  const prepared = await prepareLaunch(run, place);
  run.endIfStopped(); // The listener below would miss a signal that has already come.
  const release = guardProtectedRoots(run, prepared.sandbox);
  run.log.append('plan.updated', 'harness', { steps: OWN_PLAN });
  run.log.append('backend.started', 'harness', { argv: run.mask.texts(prepared.spec.argv) });
  run.log.calls.beginEngine();
  const { program, audit } = startProgram(run, prepared, admitted.port);
  const session = new EngineSession();
  session.started(() => program.kill());
  const cut: Cut = (why, detail) =>
    session.stop({ kind: 'cut', reason: why, ...(detail === undefined ? {} : { detail }) });
  const complete = (commit: string): void => session.stop({ kind: 'completed', commit });
  const interrupt = (): void => session.stop({ kind: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  admitted.onProblem(cut);
  const recorder = new EngineEventRecorder(run);
  const faults: Error[] = [];
  const watch = (): ReturnType<typeof watchCompletion> | null => {
    const { ownLog, baseCommit } = prepared;
    try {
      return ownLog === null
        ? null
        : watchCompletion(run, place, ownLog, recorder, admitted.exchanges, baseCommit, complete);
    } catch (error) {
      faults.push(asError(error));
      session.stop({ kind: 'not kept' });
      return null;
    }
  };
  const watching = watch();
  const kept = keepOutput(run, program, recorder, () => session.stop({ kind: 'not kept' }));
  kept.catch(() => {});
  const talking =
    prepared.converse === undefined
      ? null
      : holdConversation(run, program, prepared.converse, recorder, session).catch((error: unknown) => {
          faults.push(asError(error));
          session.stop({ kind: 'not kept' });
          return null;
        });
  if (talking === null) program.stdin.end(prepared.stdin);
  if (admitted.port !== null)
    void portLost(program).then(() => {
      // An engine that the harness ends loses its relay with everything else.
      if (session.state.kind === 'running') void cutAfterLoss(program.ended, cut);
    });
  const ended = await program.ended;
  const cause = session.exited();
  const spoken = await talking;
  const endedAtMs = environment.clock.now().getTime();
  signal.removeEventListener('abort', interrupt);
  for (const work of [async () => watching?.stop(), () => kept, admitted.settle])
    await work().catch((error: unknown) => faults.push(asError(error)));
  await holding(run, release);
  // Whatever could not be kept, the engine did run, and ended so.
  for (const fault of faults) run.takeFault(fault);
  await holding(run, async () =>
    recordEngineExit(
      run,
      audit === null ? ended : await takeAudit(run, prepared.inspection, audit, ended),
      cause,
      admitted.exchanges,
      spoken,
    ),
  );
  run.log.calls.endEngine(run.log.report, run.log.events);
  const explainNoChange = (): Cause | null =>
    run.request.engine.explainNoChange?.(rawLogs(run, admitted.exchanges, run.log.report.backend_exit_code)) ?? null;
  return { endedAtMs, claims: recorder.claims, explainNoChange };
}

const OWN_PLAN = ['let the engine work', 'freeze', 'diff', 'judge'];

async function holding(run: Run, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    run.takeFault(error);
  }
}

/** The port relay wraps strace, so that relay traffic is not attributed to the engine. */
function startProgram(
  run: Run,
  { sandbox, spec }: PreparedLaunch,
  port: Port | null,
): { readonly program: Sandboxed; readonly audit: Audit | null } {
  const audited = isAudited(run.request);
  const traced = audited ? withAudit(spec, requireTracer(run.request.environment.tools.path)) : spec;
  const { terms, environment } = run.request;
  const carried = port === null || terms.image?.root === undefined ? null : carryRelay(environment.tools.path);
  const program = sandbox.confinement.start(port === null ? traced : withPort(traced, port, carried));
  return { program, audit: audited ? auditOf(program, sandbox.targets, spec.cwd, port) : null };
}

/** The relay also goes when its command does: only before that is it a loss. */
async function cutAfterLoss(over: Promise<unknown>, cut: Cut): Promise<void> {
  const timer = setTimeout(() => cut(reason('relay_killed')), LOSS_GRACE_MS);
  await over;
  // Left alone, it would keep the process of the harness for the rest of that time.
  clearTimeout(timer);
}

const LOSS_GRACE_MS = 5000;
