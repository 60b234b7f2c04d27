import type { ReasonCatalogue } from '../reasons/reason.ts';
import type { ComparedRun, ComparisonPlan } from './schema.ts';
import type { Report } from '../schema/report.ts';
import { classifyRun } from './classify.ts';
import type { RecordedRun } from './read-runs.ts';
import { type PlannedRun, plannedRunsOf } from './planned-runs.ts';

export interface CountedRuns {
  /** The run that counts for each place of the plan that has one, in the order of the plan. */
  readonly runs: readonly ComparedRun[];
  /** Places without a run that came to its end. */
  readonly open: readonly PlannedRun[];
  /** Runs that the plan does not account for: swapped, repeated or foreign ones. */
  readonly faults: readonly string[];
}

/**
 * Which run counts for which place of a plan: the first that was not interrupted, and there must be no other. So nothing can be run again
 * until it comes out better, and nothing that was run can be left out.
 */
export function countRuns(
  plan: ComparisonPlan,
  planSha256: string,
  recorded: readonly RecordedRun[],
  known: ReasonCatalogue,
): CountedRuns {
  const slots = plannedRunsOf(plan);
  const counted = new Map<number, ComparedRun>();
  const interrupted = new Map<number, string[]>();
  const faults: string[] = [];
  for (const run of recorded) {
    if (run.state === 'running') continue;
    if (run.report === null) {
      faults.push(`${run.runId} cannot be read`);
      continue;
    }
    const classified = classifyRun(run.report, known);
    const ended = run.state === 'sealed' && classified.outcome !== 'interrupted';
    const { declared } = run;
    const slot = declared === null ? undefined : slots[declared.slot];
    if (declared === null || slot === undefined || declared.planSha256 !== planSha256) {
      // A run that was killed before it had a contract names no plan, and nothing came of it.
      if (ended || declared !== null) faults.push(`${run.runId} does not belong to this plan`);
      continue;
    }
    const before = counted.get(slot.slot);
    if (before !== undefined) faults.push(`${run.runId} repeats ${nameOf(slot)}, which ${before.run_id} had done`);
    else if (!ended) interrupted.set(slot.slot, [...(interrupted.get(slot.slot) ?? []), run.runId]);
    else {
      faults.push(...differences(slot, run, run.report));
      counted.set(slot.slot, comparedRun(slot, run, run.report, classified, interrupted.get(slot.slot) ?? []));
    }
  }
  return {
    runs: slots.flatMap(({ slot }) => counted.get(slot) ?? []),
    open: slots.filter(({ slot }) => !counted.has(slot)),
    faults,
  };
}

const nameOf = ({ engine, task, repeat }: PlannedRun): string => `${engine.label} on ${task.name} (run ${repeat})`;

/** What makes a run another one than was planned. */
function differences({ engine, task }: PlannedRun, { runId, taskSha256 }: RecordedRun, report: Report): string[] {
  const faults: string[] = [];
  if (report.backend !== engine.engine)
    faults.push(`${runId} is a run of ${report.backend}, planned was ${engine.engine}`);
  if (taskSha256 !== task.task_sha256) faults.push(`${runId} had another task than the planned ${task.name}`);
  const { executable, model } = report;
  if (executable !== null && executable.sha256 !== engine.executable_sha256)
    faults.push(`${runId} ran another program of ${engine.engine} than planned`);
  const asked = model === null ? null : `${model.provider}/${model.name}`;
  if (engine.model !== null && asked !== null && asked !== engine.model)
    faults.push(`${runId} asked ${asked}, planned was ${engine.model}`);
  return faults;
}

function comparedRun(
  { slot, engine, task, repeat }: PlannedRun,
  { runId, reportSha256, engineMs }: RecordedRun,
  { usage, model }: Report,
  { outcome, reason }: ReturnType<typeof classifyRun>,
  interrupted: readonly string[],
): ComparedRun {
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = usage;
  return {
    slot,
    engine: engine.label,
    task: task.name,
    repeat,
    run_id: runId,
    report_sha256: reportSha256,
    outcome: outcome === 'interrupted' ? 'not_judged' : outcome,
    reason,
    engine_ms: engineMs,
    tokens: input === null || output === null ? null : input + output,
    cost_usd: cost,
    asks_model: model !== null,
    interrupted: [...interrupted],
  };
}
