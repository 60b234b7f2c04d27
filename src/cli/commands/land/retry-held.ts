import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseEngine } from '../../../engines/list.ts';
import { REPORT_FILE } from '../../../evidence/bundle/bundle.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { parseBytes } from '../../../evidence/schema/document.ts';
import { report as reportSchema, type Report } from '../../../evidence/schema/report.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { openBranch } from '../../../run/land/branch.ts';
import type { LandingOutcome } from '../../../run/land/outcome.ts';
import type { ProvenRun } from '../../../run/land/proven-run.ts';
import { canRetry, type HeldRun, retryRequest } from '../../../run/land/retry.ts';
import { runTask } from '../../../run/run.ts';
import { openBaseCache } from '../../environment/base-cache.ts';
import { admittedSettings } from '../../environment/repo-settings.ts';
import { createRunEnvironment, forRepository } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { progressFor } from '../../print/run-output.ts';
import { reviewerOf } from '../../flags/review-flags.ts';
import { examineRun } from './examine-run.ts';

export interface RetryFlags {
  readonly repo: string;
  readonly onto: string;
  /** How often the engine of a held run may try again. */
  readonly retry: number;
  readonly model?: string | undefined;
  readonly command?: string | undefined;
  readonly key?: string | undefined;
  readonly runs?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

/** What the engine needs must be known before the first landing, not after an hour. */
export function refuseRetry(runs: readonly ProvenRun[], flags: RetryFlags): void {
  if (flags.retry > 0) for (const run of runs) engineOf(run, flags);
}

function engineOf({ report, contract }: ProvenRun, { command }: RetryFlags) {
  const name = report.backend;
  if (contract.given?.kind === 'commit' || contract.given?.kind === 'landing') return null;
  if (name === 'command' && command === undefined)
    throw new SeatrialError('usage', `--retry starts the engine of ${report.run_id} again: give its --command`);
  return chooseEngine(name, command === undefined ? {} : { command }, {}, readSettings(process.cwd()).acpProfiles);
}

interface RetryContext {
  readonly signal: AbortSignal;
  readonly scratch: string;
  readonly land: (runs: readonly ProvenRun[]) => Promise<readonly LandingOutcome[]>;
}

/** Has the engine of a held run try again from the tip of the branch, and lands what passes. The lock is free while the engine works. */
export async function retryHeld(
  first: ProvenRun,
  outcome: LandingOutcome,
  flags: RetryFlags,
  { signal, scratch, land }: RetryContext,
): Promise<LandingOutcome> {
  let run = first;
  let current = outcome;
  const retriedIn: string[] = [];
  while (retriedIn.length < flags.retry && !signal.aborted && canRetry(run, current)) {
    const report = await startAgain(run, current, flags, signal, mkdtempSync(join(scratch, 'retry-')));
    retriedIn.push(report.run_id);
    if (report.status !== 'pass') {
      const why = report.failure_reason ?? report.status;
      current = {
        ...current,
        reasons: [...current.reasons, reason('landing_retry_failed', { run: report.run_id, why })],
      };
      break;
    }
    const { unproven: _none, ...examined } = examineRun(report.run_dir, flags);
    run = { ...examined, base: examined.contract.repository?.commit ?? '' };
    const [landed] = await land([run]);
    if (landed === undefined) break;
    current = landed;
  }
  return retriedIn.length === 0 ? current : { ...current, retriedIn };
}

async function startAgain(
  run: ProvenRun,
  held: HeldRun,
  flags: RetryFlags,
  signal: AbortSignal,
  scratch: string,
): Promise<Report> {
  const engine = engineOf(run, flags);
  if (engine === null) throw new SeatrialError('usage', `${run.report.run_id} was made by no engine`);
  const settings = readSettings(process.cwd());
  const place = {
    confine: 'bubblewrap' as const,
    ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
  };
  const model = flags.model ?? modelOf(run);
  const environment = createRunEnvironment(settings, {
    ...place,
    ...(model === null ? {} : { model: { engine: engine.name, name: model } }),
  });
  const judged = held.judgedIn === null ? null : readJudgement(join(environment.runsDir, held.judgedIn));
  const { tip } = await openBranch(flags.repo, flags.onto, process.env);
  const taken = join(scratch, 'taken');
  mkdirSync(taken);
  const asked = await retryRequest(run, held, judged, {
    repo: flags.repo,
    branch: flags.onto,
    tip,
    scratch: taken,
    cache: openBaseCache(),
  });
  const progress = progressFor({ json: flags.json, repeat: 1 });
  return runTask({
    ...asked,
    ...reviewerOf(asked.terms, {}, settings, place),
    environment: forRepository(environment, flags.repo, asked.inputs.filesDir),
    repoSettings: admittedSettings(settings, engine.name, asked).digests,
    solutionDir: null,
    taskDir: asked.inputs.testsDir,
    engine,
    watch: progress,
    signal,
  }).finally(() => progress.end());
}

function modelOf({ report: { model } }: ProvenRun): string | null {
  return model === null ? null : `${model.provider}/${model.name}`;
}

function readJudgement(dir: string): Report {
  const parsed = parseBytes(readFileSync(join(dir, REPORT_FILE)), reportSchema);
  if (!parsed.ok) throw new SeatrialError('evidence', `${dir} has no readable report`);
  return parsed.value;
}
