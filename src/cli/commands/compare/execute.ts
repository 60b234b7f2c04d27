import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALL_REASONS } from '../../../engines/list.ts';
import { openComparisonFiles } from '../../../evidence/comparison/attest.ts';
import { type OpenedComparison, openComparison } from '../../../evidence/comparison/opened.ts';
import { publishComparison } from '../../../evidence/comparison/publish.ts';
import type { PlannedRun } from '../../../evidence/comparison/planned-runs.ts';
import {
  PLAN_ATTESTATION_FILE,
  PLAN_FILE,
  type ReadPlan,
  readComparisonPlan,
  runsOf,
} from '../../../evidence/comparison/store.ts';
import { loadOrCreateKey } from '../../../evidence/bundle/keys.ts';
import { acquireLock } from '../../../evidence/storage/lock.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { runSlots } from '../../../run/compare/run-slots.ts';
import { admittedSettings } from '../../environment/repo-settings.ts';
import { forRepository } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { resumeCommand } from '../../print/compare/lines.ts';
import { compareProgress } from '../../print/compare/progress.ts';
import { recoverRunsIn } from '../../environment/recover-runs.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { planEngine, readyEngine } from './planned-engines.ts';
import { type ComparedTask, openAll } from './sources.ts';

export interface ExecuteOptions {
  readonly jobs: number;
  readonly approvals?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
  /** At a stage: repositories that its runs must not see, beside the one that they work on. */
  readonly hidden?: readonly string[];
}

/** Runs what is left of a declared comparison and publishes what came of it. `tasks`: those of the plan, where they are open already. */
export async function executeComparison(
  dir: string,
  options: ExecuteOptions,
  tasks?: readonly ComparedTask[],
): Promise<OpenedComparison> {
  const release = await acquireLock(join(dir, '.lock'), 2000).catch((error: unknown) => {
    throw new SeatrialError('blocked', `${dir} cannot be locked; another process runs this comparison`, error);
  });
  const opened: ComparedTask[] = [...(tasks ?? [])];
  try {
    const read = readOwnPlan(dir);
    if (tasks === undefined) {
      // A run of a process that was killed is sealed first: it counts nowhere, and its place is run again.
      await recoverRunsIn(runsOf(dir));
      const sources = read.plan.tasks.map(({ source }) => source);
      opened.push(...(await openAll(sources, read.plan.agent_timeout_sec, dirname(dir))));
      refuseDrift(read, opened);
    }
    await runOpenSlots(dir, read, opened, options);
    const result = openComparison(dir, ALL_REASONS);
    publishComparison(result, new Date(), loadOrCreateKey(process.env));
    return result;
  } finally {
    await Promise.all(opened.map(({ asked }) => asked.dispose()));
    release();
  }
}

/** A plan names commands to run, so only one that this machine signed is followed. */
function readOwnPlan(dir: string): ReadPlan {
  const read = readComparisonPlan(dir);
  const signed = openComparisonFiles(readFileSync(join(dir, PLAN_ATTESTATION_FILE)), 'plan');
  const { keyid } = loadOrCreateKey(process.env);
  if (!signed.ok || signed.keyid !== keyid || signed.files.get(PLAN_FILE) !== read.planSha256)
    throw new SeatrialError('blocked', `${join(dir, PLAN_FILE)} is not as this machine signed it; it is not resumed`);
  return read;
}

/** Other tasks or programs would make another comparison. */
function refuseDrift({ plan }: ReadPlan, tasks: readonly ComparedTask[]): void {
  const settings = readSettings(process.cwd());
  const changed = [
    ...plan.tasks.flatMap(({ name, task_sha256: digest }, index) =>
      tasks[index]?.taskSha256 === digest ? [] : [`the task ${name}`],
    ),
    ...plan.engines.flatMap((planned) => {
      const now = planEngine({ ...planned, model: planned.model }, settings);
      return now.executable_sha256 === planned.executable_sha256 ? [] : [`the program of ${planned.engine}`];
    }),
  ];
  if (changed.length > 0)
    throw new SeatrialError(
      'blocked',
      `changed since the comparison was declared: ${[...new Set(changed)].join(', ')}; restore it to resume, or start a new comparison`,
    );
}

async function runOpenSlots(
  dir: string,
  { plan, planSha256 }: ReadPlan,
  tasks: readonly ComparedTask[],
  { jobs, approvals, workspace, json, hidden = [] }: ExecuteOptions,
): Promise<void> {
  const { open, runs } = openComparison(dir, ALL_REASONS);
  if (open.length === 0) return;
  const settings = readSettings(process.cwd());
  const place = { settings, runsDir: runsOf(dir), outer: dirname(dir), approvals, workspace };
  const ready = new Map(plan.engines.map((planned) => [planned.label, readyEngine(planned, plan, place)]));
  const requestFor = ({ engine: { label }, task }: PlannedRun) => {
    const found = ready.get(label);
    const asked = tasks.find(({ name }) => name === task.name)?.asked;
    if (found === undefined || asked === undefined) throw new Error(`${label} or ${task.name} is not in the plan`);
    const { repository } = asked.terms;
    const { environment } = found;
    return {
      ...asked,
      engine: found.engine,
      environment:
        repository === null || plan.stage !== undefined
          ? environment
          : forRepository(environment, repository.path, asked.inputs.filesDir),
      repoSettings: admittedSettings(settings, found.engine.name, asked).digests,
      // Evidence for a stage shows that a target was hidden, also where the user has none.
      ...(plan.stage === undefined
        ? {}
        : { plantTarget: true as const, hidden: repository === null ? [] : [repository.path, ...hidden] }),
    };
  };
  const signal = interruptible(`seatrial: ended before every run was sealed; \`${resumeCommand(plan)}\` goes on`);
  const watch = compareProgress(plan, runs, json === true);
  await runSlots({ slots: open, planSha256, jobs, signal, requestFor, watch }).finally(() => watch.end());
}
