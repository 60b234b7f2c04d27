import type { ModelAccess } from '../../engines/definition.ts';
import { checkResponseShape } from '../../admission/checks/model-checks.ts';
import { decideAdmission } from '../../admission/decide.ts';
import { type AdmissionFacts, admittedModel, timeLimitSeconds } from '../../admission/facts.ts';
import type { Port } from '../../confine/streams/port.ts';
import { showInstalled, showProgram } from '../../confine/tools/show-program.ts';
import type { Mount } from '../../confine/types.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import type { Cut, EngineExchanges } from '../model/exchange-log.ts';
import { openModelSession } from '../model/session.ts';
import { type AdmissionCheck, passedCheck, refusedCheck } from '../../admission/checks/check.ts';
import { requireTracer } from '../../confine/audit/start.ts';
import type { Contract } from '../../task/contract.ts';
import type { Copies } from '../trees/copies.ts';
import { refuseTargets } from '../engine/reach/reach.ts';
import { isAudited } from '../request.ts';
import { describeSandbox, type ProbedSandbox } from '../sandbox.ts';
import type { PreparedWorkspace } from '../trees/workspace.ts';
import type { Run } from './state.ts';
import { endIfRefused } from '../refuse.ts';
import { recordChecks } from '../../admission/checks/record-checks.ts';

/** What an engine gets that was found fit to run: its program, and the way to its model. */
export interface AdmittedEngine {
  /** Inside the confinement. */
  readonly program: string | null;
  readonly mounts: readonly Mount[];
  readonly searched: readonly string[];
  readonly model: ModelAccess | null;
  readonly port: Port | null;
  readonly timeLimitSec: number | null;
  readonly exchanges: EngineExchanges;
  /** Sets what to call, once, when going on is pointless. */
  onProblem(cut: Cut): void;
  /** When the engine has gone: records what its model still reports, and closes the way to it. */
  settle(): Promise<void>;
}

/** What is known when every check has passed. */
export interface PassedChecks {
  readonly opened: ProbedSandbox;
  readonly admitted: AdmittedEngine;
  /** The engine's tree, which is unpacked while the sandbox is probed. */
  readonly unpacked: Promise<PreparedWorkspace>;
}

/** Every check before anything is set up, the cheap ones first. `facts`: of the engine; null for a change that none makes. */
export async function passChecks(
  run: Run,
  contract: Contract,
  facts: AdmissionFacts | null,
  opening: Promise<ProbedSandbox>,
  copies: Copies,
): Promise<PassedChecks> {
  const request = run.request;
  if (isAudited(request)) requireTracer(request.environment.tools.path);
  const admitted = facts === null ? NO_ENGINE : await admitEngine(run, contract, facts);
  if (facts !== null) refuseTargets(run, contract, null);
  endIfRefused(run, recordChecks(run, [checkTestCommand(contract), checkIsolation(contract)]));
  const unpacked = run.ahead(() => copies.workspace());
  const opened = await opening;
  const probe = checkProbe(opened.probed, opened.confinement.kind === 'bubblewrap');
  describeSandbox(run, {
    ...opened.confinement.describe(),
    probe_passed: opened.probed.passed,
    workspace: opened.workspaceFiles.overlay === null ? 'copy' : 'overlay',
  });
  if (facts !== null && opened.targets.length > 0) refuseTargets(run, contract, opened);
  endIfRefused(run, recordChecks(run, [probe]));
  return { opened, admitted, unpacked };
}

function checkTestCommand(contract: Contract): AdmissionCheck {
  return contract.test_command === null
    ? refusedCheck({
        gate: 'test command',
        reason: reason('missing_test_command'),
        detail: 'the task has no test_command, so no patch can be proven',
        next: 'give the task a test_command',
      })
    : passedCheck('test command', contract.test_command);
}

/** A high-risk change cannot rest on results that the code under test could forge. */
function checkIsolation(contract: Contract): AdmissionCheck {
  return contract.risk_class === 'high' && contract.isolation === 'in_process'
    ? refusedCheck({
        gate: 'isolation',
        reason: reason('isolation_too_weak'),
        detail: 'risk_class is high and the tests share a process with the code under test',
        next: 'write the tests as a black box, or lower risk_class',
      })
    : passedCheck('isolation', `${contract.isolation} for a ${contract.risk_class}-risk task`);
}

function checkProbe(probe: { readonly passed: boolean; readonly detail: string }, confined: boolean): AdmissionCheck {
  if (!confined) return passedCheck('probe', 'unconfined, as requested; this run is no evidence for a stage');
  return probe.passed
    ? passedCheck('probe', probe.detail)
    : refusedCheck({
        gate: 'probe',
        reason: reason('probe_failed'),
        detail: probe.detail,
        next: 'see docs/security.md for what confinement requires of this machine',
      });
}

/** For a change that no engine makes. */
const NO_ENGINE: AdmittedEngine = {
  program: null,
  mounts: [],
  searched: [],
  model: null,
  port: null,
  timeLimitSec: null,
  exchanges: { calls: [], claims: new Set(), refusedModels: [] },
  onProblem: () => {},
  settle: () => Promise.resolve(),
};

/** The checks of an engine that has to be admitted, in their order; the model is asked last, through the gateway. */
async function admitEngine(run: Run, contract: Contract, facts: AdmissionFacts): Promise<AdmittedEngine> {
  const timeLimitSec = timeLimitSeconds(facts);
  endIfRefused(run, recordChecks(run, decideAdmission(facts)));
  const program = await bringProgram(run, facts);
  const model = await bringModel(run, contract, facts);
  return { ...NO_ENGINE, ...program, ...model, timeLimitSec };
}

/** A copy is shown, and its bytes are the admitted ones: what lies at the path may change at any time. */
async function bringProgram(run: Run, facts: AdmissionFacts): Promise<Partial<AdmittedEngine>> {
  const { executable } = facts;
  if (executable.state !== 'present') return {};
  if (executable.use === 'in place') {
    const { command, mounts, searched } = await showInstalled(executable.path, run.request.environment.tools);
    return { program: command, mounts, searched };
  }
  const shown = await showProgram(executable.path, run.scratchPath('engine'), run.request.environment.tools);
  if (digestFile(shown.copy).sha256 !== executable.sha256)
    run.block(reason('executable_changed', { path: executable.path }));
  return { program: shown.command, mounts: shown.mounts, searched: shown.searched };
}

/** A single answer takes no longer, unless the caller sets a limit. */
const USUAL_ANSWER_SEC = 300;

async function bringModel(run: Run, contract: Contract, facts: AdmissionFacts): Promise<Partial<AdmittedEngine>> {
  const { policy } = facts;
  const record = policy === null || policy.model === null ? null : admittedModel(facts);
  if (policy === null || record === null) return {};
  const engineSec = timeLimitSeconds(facts) ?? contract.agent_timeout_sec;
  const answerSec = timeLimitSeconds(facts) ?? Math.min(contract.agent_timeout_sec, USUAL_ANSWER_SEC);
  const way = await openModelSession(run, record, policy, { answerSec, engineSec });
  const { replay, signal } = run.request;
  if (replay === undefined && record.login !== undefined) {
    endIfRefused(
      run,
      recordChecks(run, [passedCheck('response shape', 'not asked: Seatrial itself sends nothing with a login')]),
    );
    warnOfExpiry(run, facts.signIns[record.login]?.expiresAt ?? null, engineSec);
  } else if (replay === undefined) {
    const shape = await way.probeResponseShape(run.bundle.nonce);
    if (signal.aborted) run.block(reason('interrupted'));
    endIfRefused(run, recordChecks(run, [checkResponseShape(shape)]));
  } else {
    // Replayed answers were checked when they were recorded; there is no model to ask.
    run.log.mark(
      'model-replayed.txt',
      `no model was asked: the answers are those of a run that began at ${replay.startedAt}`,
    );
  }
  return { model: way.access, port: way.port, exchanges: way.exchanges, onProblem: way.onProblem, settle: way.close };
}

/** It is read again at each request, so its owner's program may still renew it in time. */
function warnOfExpiry(run: Run, expiresAt: number | null, timeLimitSec: number): void {
  const now = run.request.environment.clock.now().getTime();
  if (expiresAt === null || expiresAt > now + timeLimitSec * 1000) return;
  const text = `the login expires at ${new Date(expiresAt).toISOString()}, before the time limit of ${timeLimitSec} s`;
  run.log.mark('login-expires.txt', text);
  run.request.watch.note(`note: ${text}`);
}
