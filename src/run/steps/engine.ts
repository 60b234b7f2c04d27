import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Audit } from '../../confine/audit/audit.ts';
import { SANDBOX_PATH } from '../../confine/environment.ts';
import { requireTracer, withAudit } from '../../confine/audit/start.ts';
import { type Port, portLost, withPort } from '../../confine/streams/port.ts';
import type { Sandboxed, SandboxSpec } from '../../confine/types.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { reportingWrite } from '../../evidence/storage/durable.ts';
import type { Launch, LaunchContext } from '../../engines/definition.ts';
import { asError } from '../../kernel/errors.ts';
import { headOf, type Place } from '../engine/completion.ts';
import { recordEngineExit } from '../engine/exit.ts';
import { EngineSession } from '../engine/session.ts';
import { keepOutput } from '../engine/output.ts';
import { watchCompletion } from '../engine/watch-completion.ts';
import { hideSettings } from '../engine/state-dirs.ts';
import type { Cut } from '../model/exchange-log.ts';
import { isAudited } from '../request.ts';
import type { Run } from './state.ts';
import { EngineEventRecorder } from '../engine/event-recorder.ts';
import type { AdmittedEngine } from './checks.ts';
import { auditOf, takeAudit } from '../engine/audit.ts';
import { noteShown, type ProbedSandbox } from '../sandbox.ts';
import { guardProtectedRoots } from '../engine/protected-roots.ts';
import { recordReach } from '../engine/reach.ts';

/** What the engine did and said. `endedAtMs`: from then on nobody was allowed to write. */
export interface EngineOutcome {
  readonly endedAtMs: number;
  readonly claims: readonly string[];
}

/** All that an engine works with. */
export interface Workplace extends Place {
  readonly ground: ProbedSandbox;
  readonly admitted: AdmittedEngine;
}

/**
 * Starts the engine in the workspace and stays until nothing of it is left. Whatever goes wrong from its start on is held against the
 * run and not thrown: there may be work to keep.
 */
export async function runEngine(run: Run, place: Workplace): Promise<EngineOutcome> {
  const { engine, signal, site } = run.order;
  const { contract, ground: bare, start, admitted } = place;
  const hidden = await hideSettings(engine, start.base, bare, run.scratchPath('hidden'));
  noteShown(run, admitted.mounts, admitted.port === null ? null : 'gateway');
  const mounts = [...bare.mounts, ...admitted.mounts, ...hidden];
  const at = (path: string): string => bare.confinement.pathInside(path, mounts);
  const ground = { ...bare, mounts, at };
  const program = admitted.program === null ? null : at(admitted.program);
  const order: LaunchContext = {
    contract,
    at,
    attempt: `seatrial-${run.bundle.nonce}`,
    startedAt: run.order.replay?.startedAt ?? run.bundle.startedAt,
    program,
    model: admitted.model,
  };
  const described = engine.launch(order);
  if ('refused' in described) run.block(described.refused);
  const launch = layLaunch(run, ground, described, admitted);
  const inspection = recordReach(run, contract, ground, launch);
  const release = guardProtectedRoots(run, ground);
  const ownLog = engine.ownLog(order);
  const baseCommit = ownLog === null ? null : await headOf(run, ground);
  run.endIfStopped(); // The listener below would miss a signal that has already come.
  run.log.append('backend.started', 'harness', { argv: run.mask.texts(launch.argv) });
  const spec = {
    argv: launch.argv,
    env: launch.env,
    cwd: ground.at(ground.workspace.target),
    mounts: ground.mounts,
    limits: run.limits,
    timeoutMs: Math.min(contract.agent_timeout_sec, admitted.timeLimitSec ?? Infinity) * 1000,
  };
  if (admitted.port !== null) ground.confinement.give(admitted.port.folder);
  const { sandbox, audit } = startEngine(run, ground, spec, admitted.port);
  const session = new EngineSession();
  session.started(() => sandbox.kill());
  const cut: Cut = (cause) => session.stop({ kind: 'cut', reason: cause });
  const complete = (commit: string): void => session.stop({ kind: 'completed', commit });
  const interrupt = (): void => session.stop({ kind: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  admitted.onTrouble(cut);
  const said = new EngineEventRecorder(run);
  const kept = keepOutput(run, sandbox, said, () => session.stop({ kind: 'not kept' }));
  kept.catch(() => {});
  const faults: Error[] = [];
  const startFollowing = (): ReturnType<typeof watchCompletion> | null => {
    try {
      return ownLog === null
        ? null
        : watchCompletion(run, place, ownLog, said, admitted.exchanges, baseCommit, complete);
    } catch (error) {
      faults.push(asError(error));
      session.stop({ kind: 'not kept' });
      return null;
    }
  };
  const following = startFollowing();
  sandbox.stdin.end(launch.stdin);
  const over = sandbox.ended;
  if (admitted.port !== null) void portLost(sandbox).then(() => afterLoss(over, cut));
  const ended = await over;
  const cause = session.exited();
  const endedAtMs = site.clock.now().getTime();
  signal.removeEventListener('abort', interrupt);
  for (const work of [async () => following?.stop(), () => kept, admitted.settle])
    await work().catch((error: unknown) => faults.push(asError(error)));
  await holding(run, release);
  await holding(run, () => {
    if (!said.planned) run.log.append('plan.updated', 'harness', { steps: OWN_PLAN });
  });
  // Whatever could not be kept, the engine did run, and ended so.
  for (const fault of faults) run.takeFault(fault);
  await holding(run, async () =>
    recordEngineExit(
      run,
      audit === null ? ended : await takeAudit(run, inspection, audit, ended),
      cause,
      admitted.exchanges,
    ),
  );
  return { endedAtMs, claims: said.claims };
}

const OWN_PLAN = ['let the engine work', 'freeze', 'diff', 'judge'];

async function holding(run: Run, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    run.takeFault(error);
  }
}

/** What is put before the engine last is started first: the way to the model is none of its doing, and is not traced. */
function startEngine(
  run: Run,
  { confinement }: ProbedSandbox,
  spec: SandboxSpec,
  port: Port | null,
): { readonly sandbox: Sandboxed; readonly audit: Audit | null } {
  const audited = isAudited(run.order);
  const traced = audited ? withAudit(spec, requireTracer(run.order.site.tools.path)) : spec;
  const sandbox = confinement.start(port === null ? traced : withPort(traced, port));
  return { sandbox, audit: audited ? auditOf(run, sandbox, spec.cwd, port) : null };
}

/** Lays the engine's configuration where it finds it, and keeps a copy. */
function layLaunch(run: Run, ground: ProbedSandbox, launch: Launch, admitted: AdmittedEngine): Launch {
  reportingWrite(run.artifact('backend'), () => mkdirSync(run.artifact('backend'), { recursive: true }));
  for (const [name, text] of Object.entries(launch.files)) {
    const path = run.scratchPath('artifacts', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    run.write(`backend/${name}`, run.mask.text(text));
  }
  if (Object.keys(launch.files).length > 0) ground.confinement.give(run.scratchPath('artifacts'));
  const env = { ...ground.env, ...launch.env };
  const path = [...admitted.searched, env['PATH'] ?? SANDBOX_PATH].join(':');
  return { ...launch, env: admitted.searched.length === 0 ? env : { ...env, PATH: path } };
}

/** The relay also goes when its command does: only before that is it a loss. */
async function afterLoss(over: Promise<unknown>, cut: Cut): Promise<void> {
  const still = Symbol('still running');
  const first = await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOSS_GRACE_MS, still))]);
  if (first === still) cut(reason('relay_killed'));
}

const LOSS_GRACE_MS = 1000;
