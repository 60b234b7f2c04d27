import type { ComparisonPlan, PlannedEngine } from './schema.ts';

/** One run of a plan. */
export interface PlannedRun {
  /** Its number, which the contract of the run names. */
  readonly slot: number;
  readonly engine: PlannedEngine;
  readonly task: ComparisonPlan['tasks'][number];
  /** From 1. */
  readonly repeat: number;
}

/** Every run of a plan, in the order they are started: a comparison that is stopped has tried each engine on each task about as often. */
export function plannedRunsOf({
  engines,
  tasks,
  repeat: repeats,
}: Pick<ComparisonPlan, 'engines' | 'tasks' | 'repeat'>): readonly PlannedRun[] {
  const slots: PlannedRun[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1)
    for (const task of tasks) for (const engine of engines) slots.push({ slot: slots.length, engine, task, repeat });
  return slots;
}
