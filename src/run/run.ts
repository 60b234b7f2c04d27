import { randomBytes } from 'node:crypto';
import { startOrphanReaper } from '../confine/processes/orphan-reaper.ts';
import { makeScratch, nameScratch } from '../confine/scratch.ts';
import { DEFAULT_LIMITS } from '../confine/limits/limits.ts';
import { createBundle, createControlBundle, clearRunning } from '../evidence/bundle/create.ts';
import { RunLog, type StepTiming } from '../evidence/log/run-log.ts';
import { Masker } from '../evidence/secrets/mask.ts';
import { reason } from '../evidence/reasons/catalogue.ts';
import type { Report } from '../evidence/schema/report.ts';
import type { Contract } from '../task/contract.ts';
import { reportFieldsOf } from '../engines/list.ts';
import { hasControl, type RunRequest } from './request.ts';
import { Run } from './steps/state.ts';
import { passChecks } from './steps/checks.ts';
import { askApprovals } from './steps/approvals.ts';
import { askReview } from './steps/review.ts';
import { recordBase } from './control/record-base.ts';
import { runControl } from './steps/control.ts';
import { runEngine } from './steps/engine.ts';
import { layGivenChange } from './engine/given-change.ts';
import { keepLeftWork } from './recover/keep-left-work.ts';
import { diffWorkspace } from './steps/diff.ts';
import { freezeWorkspace } from './steps/freeze.ts';
import { judgePatch } from './steps/judge.ts';
import { type Copies, copiesOf } from './trees/copies.ts';
import { openSandbox, type ProbedSandbox } from './sandbox.ts';
import { type PreparedContract, makeContract } from './steps/contract.ts';
import { writeEligibility } from './steps/eligibility.ts';
import { refuseUntouchedPass } from './control/untouched.ts';
import { prepareWorkspace } from './steps/workspace.ts';
import { withProvisionedMounts, provisionRun } from './steps/provision.ts';
import { sealRun } from './steps/seal.ts';

/** One task from contract to verdict. Whatever happens on the way, the result is a sealed report. */
export async function runTask(request: RunRequest): Promise<Report> {
  const run = beginRun(request);
  makeScratch(run.scratch);
  const release = request.controlOf === undefined ? startOrphanReaper(run.scratch) : () => {};
  let asked: PreparedContract | null = null;
  try {
    request.onCreated?.(run.bundle);
    const sandbox = run.ahead(() => openSandbox(run));
    asked = await run.step('contract', () => makeContract(run));
    await prove(run, asked, sandbox);
  } catch (error) {
    await lookForLostBase(run);
    run.takeFault(error);
  }
  await run.endWork();
  if (run.hasWorkToRead) await keepLeftWork(run);
  // Work that is not in the bundle stays until the bundle is sealed: should that fail, `runs recover` finds it.
  const cleared = run.hasUnkeptWork ? null : run.clearScratch();
  try {
    const report = await sealRun(run);
    if (await (cleared ?? run.clearScratch())) clearRunning(run.bundle);
    return report;
  } finally {
    await cleared;
    release();
  }
}

function beginRun(request: RunRequest): Run {
  const { clock, runsDir } = request.environment;
  const nonce = randomBytes(16).toString('hex');
  const engine = request.engine.name;
  const engineFields = reportFieldsOf(engine);
  const scratch = nameScratch(request.controlOf?.scratch);
  const bundle =
    request.controlOf === undefined
      ? createBundle({
          runsDir,
          task: request.terms.task,
          engine,
          clock,
          pid: process.pid,
          nonce,
          scratch,
          secrets: request.environment.secrets.names,
        })
      : createControlBundle(request.controlOf.bundle, { engine, clock, nonce });
  const steps: StepTiming[] = [];
  const mask = new Masker(request.environment.secrets);
  const setupMask = mask.with(request.environment.provision.secrets);
  const log = new RunLog({ bundle, clock, steps, mask, engineFields });
  const limits = DEFAULT_LIMITS;
  const run = new Run({ request, bundle, log, mask, setupMask, steps, scratch, limits });
  log.append('run.started', 'harness', {
    run_id: bundle.runId,
    nonce,
    engine,
    started_at: bundle.startedAt,
  });
  request.watch.onStarted(bundle, steps);
  return run;
}

/** The steps, in order. Each takes what the ones before it gave; a blocked one ends them. */
async function prove(run: Run, asked: PreparedContract, opening: Promise<ProbedSandbox>): Promise<void> {
  const { contract, archives } = asked;
  const { givenChange } = run.request;
  const facts = givenChange === undefined ? await run.step('eligibility', () => writeEligibility(run, contract)) : null;
  const copies = copiesOf(run, archives, opening);
  const { opened, admitted, unpacked } = await run.step('checks', () =>
    passChecks(run, contract, facts, opening, copies),
  );
  await requireSoundBase(run);
  const provisioned = await run.step('provision', () => provisionRun(run, asked, opened, copies));
  const sandbox = await withProvisionedMounts(run, contract, opened, provisioned);
  // On a repository its own tests are the control. A task has an oracle, whose run is compared with the engine's, so it comes last.
  const control =
    contract.judging === undefined
      ? null
      : await run.step('control', () => recordBase(run, contract, sandbox, copies, provisioned));
  if (contract.image !== undefined && run.request.controlOf === undefined)
    await run.step('control', () => refuseUntouchedPass(run, contract, sandbox, copies, provisioned));
  const start = await run.step('workspace', () => prepareWorkspace(run, unpacked, sandbox, provisioned));
  const place = { contract, sandbox, start, copies, admitted };
  const outcome = await run.step(
    'engine',
    () => (givenChange === undefined ? runEngine(run, place) : layGivenChange(run, sandbox, start, givenChange)),
    'before',
  );
  if (!run.isStopped) await showToObserver(run, contract, sandbox, copies);
  const frozen = await run.step('freeze', () => freezeWorkspace(run, sandbox, outcome, start, copies), 'never');
  const attempt = { contract, sandbox, start, outcome, ...frozen };
  const patched = await run.step('diff', () => diffWorkspace(run, attempt, copies), 'never');
  await run.step('review', () => askReview(run, contract, sandbox, patched, copies, runTask));
  await run.step('approvals', () => askApprovals(run, contract));
  await run.step('judge', () => judgePatch(run, contract, sandbox, patched, copies, provisioned, control));
  if (control === null && hasControl(run.request))
    await run.step('control', () => runControl(run, asked, copies, provisioned, runTask));
}

/** Up to here nothing was started over the files of the cache. */
async function requireSoundBase(run: Run): Promise<void> {
  const { cached } = run.request.inputs;
  if (cached !== undefined && !(await cached.isSound)) run.block(reason('cached_files_changed'));
}

/** Where a part of the cached files is gone, that is why a step failed. */
async function lookForLostBase(run: Run): Promise<void> {
  const { cached } = run.request.inputs;
  if (cached !== undefined && !(await cached.lookAgain())) run.isWorkspaceThere = () => false;
}

async function showToObserver(run: Run, contract: Contract, sandbox: ProbedSandbox, copies: Copies): Promise<void> {
  await run.request.afterEngine?.({
    contract,
    confinement: sandbox.confinement,
    mounts: sandbox.mounts,
    sealedTests: copies.tests(),
    scratchPath: (name) => run.scratchPath(name),
    bundle: run.bundle,
    exitCode: run.log.report.backend_exit_code,
  });
}
