import { mean, median, passAllOf, wilsonInterval } from '../../kernel/statistics.ts';
import type {
  CellSummary,
  ComparedRun,
  ComparisonPlan,
  ComparisonResult,
  EngineSummary,
  ReasonCount,
  Spending,
} from './schema.ts';

/** What came of a plan, from the runs that count. Pure: the same runs give the same bytes. */
export function summarizeComparison(
  plan: ComparisonPlan,
  planSha256: string,
  runs: readonly ComparedRun[],
): ComparisonResult {
  const { engines, tasks, repeat } = plan;
  const planned = engines.length * tasks.length * repeat;
  const cells = tasks.flatMap(({ name: task }) =>
    engines.map(({ label: engine }): CellSummary => {
      const of = runs.filter((run) => run.engine === engine && run.task === task);
      return { engine, task, ...countsOf(of, repeat) };
    }),
  );
  return {
    schema_version: 1,
    comparison_id: plan.comparison_id,
    plan_sha256: planSha256,
    complete: runs.length === planned,
    planned,
    engines: engines.map(({ label: engine }): EngineSummary => {
      const of = runs.filter((run) => run.engine === engine);
      return {
        engine,
        ...countsOf(of, tasks.length * repeat),
        pass_all: passAllTasks(
          cells.filter((cell) => cell.engine === engine),
          repeat,
        ),
        reasons: reasonsOf(of),
      };
    }),
    cells,
    runs: [...runs],
  };
}

/** Rates, times and spending are of judged runs alone: what was not judged says nothing about an engine. */
function countsOf(runs: readonly ComparedRun[], planned: number): Omit<CellSummary, 'engine' | 'task'> {
  const judged = runs.filter(({ outcome }) => outcome !== 'not_judged');
  const passed = judged.filter(({ outcome }) => outcome === 'pass').length;
  return {
    planned,
    passed,
    failed: judged.length - passed,
    not_judged: runs.length - judged.length,
    pass_rate: judged.length === 0 ? null : passed / judged.length,
    interval: { ...wilsonInterval(passed, judged.length) },
    median_ms: median(judged.flatMap(({ engine_ms: ms }) => ms ?? [])),
    tokens: spendingOf(judged.map(({ tokens }) => tokens)),
    cost_usd: spendingOf(judged.map(({ cost_usd: cost }) => cost)),
    asks_model: runs.some(({ asks_model: asks }) => asks),
  };
}

/** A sum with an unknown part is unknown. */
function spendingOf(values: readonly (number | null)[]): Spending {
  const known = values.filter((value) => value !== null);
  const total =
    known.length === 0 || known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0);
  return { known: known.length, median: median(known), total };
}

function passAllTasks(cells: readonly CellSummary[], k: number): EngineSummary['pass_all'] {
  const values = cells.flatMap(({ passed, failed }) => passAllOf(passed, passed + failed, k) ?? []);
  return { k, tasks: values.length, value: mean(values) };
}

/** Most frequent first; fails before what was not judged. */
function reasonsOf(runs: readonly ComparedRun[]): ReasonCount[] {
  const counted = new Map<string, ReasonCount>();
  for (const { outcome, reason } of runs) {
    if (reason === null || outcome === 'pass') continue;
    const key = `${outcome} ${reason.code}`;
    const before = counted.get(key);
    counted.set(key, { outcome, ...reason, ...before, count: (before?.count ?? 0) + 1 });
  }
  return [...counted.values()].toSorted(
    (a, b) => a.outcome.localeCompare(b.outcome) || b.count - a.count || a.code.localeCompare(b.code),
  );
}
