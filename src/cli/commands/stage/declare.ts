import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { firstRefusal } from '../../../admission/decide.ts';
import { gatherAdmissionFacts, gatherFacts } from '../../../admission/gather.ts';
import { loadOrCreateKey } from '../../../evidence/bundle/keys.ts';
import { createComparisonDir, writePlan } from '../../../evidence/comparison/store.ts';
import type { PlannedEngine } from '../../../evidence/comparison/schema.ts';
import type { AbsentEngine, StageBatch } from '../../../evidence/stage-records/schema.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { COMPARED_AT_TOP } from '../../../engines/list.ts';
import { type LadderStage, TOP_STAGE } from '../../../stages/ladder.ts';
import { appendRecord, damaged, type Signing } from '../../../stages/history/store.ts';
import { keepDrift } from '../../../stages/keep-drift.ts';
import { discardSandbox, makeSandbox } from '../../../stages/routes/sandbox.ts';
import { STAGE_REPOSITORIES } from '../../../admission/stage-scopes.ts';
import { callerOf, stagesPlaceOf } from '../../environment/run-environment.ts';
import { runsToWrite, type Settings } from '../../environment/settings.ts';
import { atStage, planEngine, refuseMissingOracles } from '../compare/planned-engines.ts';
import type { CompareFlags } from '../compare/flags.ts';
import { type ComparedTask, tasksOfFlags } from '../compare/sources.ts';
import { openStagesNow, stagedEngine, type StagedEngine } from './place.ts';

export interface DeclareFlags extends Omit<CompareFlags, 'repeat' | 'jobs' | 'model'> {
  readonly model?: string | undefined;
  /** Runs of each task; absent: as many as the stage needs. */
  readonly repeat?: number | undefined;
}

/** Declares the runs that are to show a stage: the plan is signed by the harness, the batch by a person, before the first run. */
export async function declareBatch(
  engine: string,
  stage: LadderStage,
  flags: DeclareFlags,
  settings: Settings,
  signing: NonNullable<Signing>,
  repeats: string | null = null,
): Promise<StageBatch> {
  const stages = stagesPlaceOf(settings);
  await keepDrift(stages, new Date());
  const { opened } = openStagesNow(settings);
  if (opened.faults.length > 0) throw damaged(settings.stages, opened.faults);
  const staged = stagedEngine(engine, settings, opened, flags.model);
  refuseEarly(stage, staged);
  const repo = await repositoryFor(stage, flags, settings);
  try {
    return await declareOn(
      { ...flags, ...repo },
      { engine, stage, staged, settings, signing, repeats, of: flags.repo },
    );
  } catch (error) {
    // Nothing would ever name the sandbox.
    if (repo.repo !== undefined) await discardSandbox(repo.repo, settings.stages);
    throw error;
  }
}

interface Declaration {
  readonly engine: string;
  readonly stage: LadderStage;
  readonly staged: StagedEngine;
  readonly settings: Settings;
  readonly signing: NonNullable<Signing>;
  readonly repeats: string | null;
  /** The repository that was named. */
  readonly of: string | undefined;
}

async function declareOn(
  flags: DeclareFlags,
  { engine, stage, staged, settings, signing, repeats, of }: Declaration,
): Promise<StageBatch> {
  const runsDir = runsToWrite(flags.runs, settings);
  const tasks = await tasksOfFlags(
    { ...flags, repeat: 1, jobs: 1, model: undefined, mutation: mutationFor(stage, flags) },
    runsDir,
  );
  try {
    const own = planEngine({ label: engine, engine, model: flags.model ?? null, options: {} }, settings);
    refuseRefusedRuns(engine, stage, tasks, settings, flags.model);
    const { compared, absent } = stage.number === TOP_STAGE ? othersFor(engine, tasks, settings) : NO_OTHERS;
    refuseMissingOracles([own, ...compared], tasks, settings);
    const repeat = flags.repeat ?? Math.ceil((stage.minimum?.runs ?? 1) / tasks.length);
    const now = new Date();
    const dir = createComparisonDir(runsDir, now, process.pid);
    try {
      const planSha256 = writePlan(
        dir,
        {
          schema_version: 1,
          comparison_id: basename(dir),
          declared_at: now.toISOString(),
          nonce: randomBytes(16).toString('hex'),
          engines: [own, ...compared],
          tasks: tasks.map(({ name, source, taskSha256 }) => ({ name, source, task_sha256: taskSha256 })),
          repeat,
          stage: stage.number,
          agent_timeout_sec: flags.timeout ?? null,
          budgets: { max_requests: null, max_tokens: null, max_cost_usd: null },
        },
        loadOrCreateKey(process.env),
      );
      const { record } = await appendRecord(
        settings.stages,
        {
          kind: 'batch',
          at: new Date().toISOString(),
          subject: staged.subject,
          stage: stage.number,
          comparison_id: basename(dir),
          plan_sha256: planSha256,
          runs: tasks.length * repeat,
          sandbox_of: STAGE_REPOSITORIES[stage.number] === 'sandbox' ? resolve(of ?? '.') : null,
          absent,
          repeats,
        },
        signing,
      );
      if (record.kind !== 'batch') throw new Error('a batch was written as another record');
      return record;
    } catch (error) {
      await removeTree(dir);
      throw error;
    }
  } finally {
    await Promise.all(tasks.map(({ asked }) => asked.dispose()));
  }
}

function refuseEarly({ number }: LadderStage, { facts, history, subject }: StagedEngine): void {
  const earned = facts.stage.earned === 0 ? 0 : history.granted;
  if (earned === number - 1) return;
  throw new SeatrialError(
    'blocked',
    earned >= number
      ? `${subject.engine} already has stage ${earned}; see \`seatrial stage\``
      : `stage not earned: ${number - 1}; ${subject.engine} with this program and model has stage ${earned}, see \`seatrial stage\``,
  );
}

/** Runs that would be refused before they start would still count as not judged, so they are not declared. */
function refuseRefusedRuns(
  engine: string,
  { number }: LadderStage,
  tasks: readonly ComparedTask[],
  settings: Settings,
  model: string | undefined,
): void {
  const requested = model === undefined ? undefined : { engine, name: model };
  const caller = callerOf(settings, atStage(number, engine, settings), requested);
  for (const { name, fact } of tasks) {
    const { requested: facts } = gatherFacts(engine, caller, { task: fact, confined: true, replayed: false });
    const refusal = firstRefusal(facts);
    if (refusal !== null)
      throw new SeatrialError(
        'blocked',
        `every run on ${name} would be refused: ${refusal.reason.text}: ${refusal.detail}; next: ${refusal.next}`,
      );
  }
}

function mutationFor({ number, mutation }: LadderStage, { repo }: DeclareFlags): string | undefined {
  if (number > 2 && repo === undefined)
    throw new SeatrialError(
      'usage',
      `stage ${number} works on a repository; give --repo, --ask and --must-fix or --sealed`,
    );
  if (number === 2 && repo !== undefined)
    throw new SeatrialError('usage', 'stage 2 works on artificial tasks; give --tasks');
  return repo === undefined ? undefined : mutation;
}

async function repositoryFor(
  { number }: LadderStage,
  flags: DeclareFlags,
  settings: Settings,
): Promise<Partial<Pick<CompareFlags, 'repo' | 'commit'>>> {
  const { repo, mustFix, sealed, dirty } = flags;
  if (repo === undefined) return {};
  if (dirty === true) throw new SeatrialError('usage', 'a stage works on a commit; leave --dirty out');
  if ((mustFix ?? []).length === 0 && sealed === undefined)
    throw new SeatrialError(
      'usage',
      'give --must-fix or --sealed: without named tests a run is no evidence for a stage',
    );
  switch (STAGE_REPOSITORIES[number]) {
    case 'sandbox':
      return makeSandbox(repo, flags.commit, settings.stages);
    case 'owned': {
      const standing = callerOf(settings).repositoryStanding?.(repo);
      if (standing === 'owned') return {};
      throw new SeatrialError(
        'blocked',
        `${repo} is not listed as owned and noncritical; if it is, list it with \`seatrial stage own ${repo}\``,
      );
    }
    default:
      return {};
  }
}

interface Others {
  readonly compared: readonly PlannedEngine[];
  readonly absent: AbsentEngine[];
}

const NO_OTHERS: Others = { compared: [], absent: [] };

/** Every engine that can be compared is; the others are recorded with what keeps them out. */
function othersFor(subject: string, tasks: readonly ComparedTask[], settings: Settings): Others {
  const compared: PlannedEngine[] = [];
  const absent: AbsentEngine[] = [];
  for (const engine of COMPARED_AT_TOP.filter((name) => name !== subject)) {
    const refusal = firstRefusal(
      gatherAdmissionFacts(engine, callerOf(settings, atStage(TOP_STAGE, engine, settings))),
    );
    const noOracle = engine === 'fake' && tasks.some(({ asked }) => asked.solutionDir === null);
    const why = refusal === null ? (noOracle ? 'no solution is given (--solution)' : null) : refusal.reason.text;
    if (why === null) compared.push(planEngine({ label: engine, engine, model: null, options: {} }, settings));
    else absent.push({ engine, why });
  }
  return { compared, absent };
}
