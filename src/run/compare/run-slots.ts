import type { PlannedRun } from '../../evidence/comparison/planned-runs.ts';
import type { StepTiming } from '../../evidence/log/run-log.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { inParallel } from '../parallel.ts';
import { NO_OBSERVER, type RunObserver, type RunRequest } from '../request.ts';
import { runTask } from '../run.ts';

/** Who looks on while a comparison goes. Must not throw. */
export interface SlotObserver extends Pick<RunObserver, 'note' | 'question'> {
  started(slot: PlannedRun): void;
  /** `steps` grows while the run goes on. */
  began(slot: PlannedRun, steps: readonly StepTiming[]): void;
  ended(slot: PlannedRun, report: Report): void;
}

export interface SlotRuns {
  readonly slots: readonly PlannedRun[];
  /** Every run names the plan in its contract, so that none can be exchanged for another. */
  readonly planSha256: string;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly requestFor: (slot: PlannedRun) => Omit<RunRequest, 'watch' | 'signal'>;
  readonly watch: SlotObserver;
}

/** Runs what is left of a plan, in its order. */
export async function runSlots({ slots, planSha256, jobs, signal, requestFor, watch }: SlotRuns): Promise<void> {
  await inParallel(slots, jobs, signal, async (slot) => {
    const request = requestFor(slot);
    watch.started(slot);
    const report = await runTask({
      ...request,
      terms: { ...request.terms, declared: { plan_sha256: planSha256, slot: slot.slot } },
      // The next run of the same task starts from the same files.
      inputs: { ...request.inputs, disposable: false },
      signal,
      watch: {
        ...NO_OBSERVER,
        onStarted: (_bundle, steps) => watch.began(slot, steps),
        note: (text) => watch.note(text),
        question: (asked) => watch.question(asked),
      },
    });
    watch.ended(slot, report);
  });
}
