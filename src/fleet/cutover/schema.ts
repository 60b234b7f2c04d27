import * as z from 'zod/mini';
import { isoTime } from '../../evidence/schema/parts.ts';

const command = z.strictObject({
  argv: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
});

/** The format of `cutover/plan.json`: what a cutover changes, found out from what is really there. */
export const cutoverPlan = z.strictObject({
  version: z.literal(1),
  made_at: isoTime,
  live: z.string(),
  staged: z.string(),
  prefix: z.string(),
  socket: z.string(),
  /** Where the live project keeps its state; the staged one goes on there. */
  live_log_dir: z.string(),
  unit: z.string(),
  /** Every file from the unit to the shim. */
  chain: z.array(z.string()),
  /** The one file that is changed, and what it is written in. */
  shim: z.string(),
  shim_kind: z.enum(['shell', 'python', 'unit']),
  /** What the unit started when the plan was made. */
  start: command,
  /** Stops the live project. */
  stop: z.string(),
  live_runs: z.boolean(),
  /** Sessions that run now and that `up` does not start again. */
  not_started_again: z.array(z.string()),
});
export type CutoverPlan = z.infer<typeof cutoverPlan>;

export const FORWARD_STEPS = ['keep-files', 'hold', 'stop-live', 'keep-state', 'config', 'shim', 'start'] as const;
export const BACK_STEPS = ['hold', 'stop-staged', 'state', 'config', 'shim', 'start', 'finish'] as const;

/** One line of `cutover/steps.jsonl`. */
export const cutoverEntry = z.strictObject({
  version: z.literal(1),
  time: isoTime,
  way: z.enum(['forward', 'back']),
  step: z.enum([...new Set([...FORWARD_STEPS, ...BACK_STEPS])]),
  state: z.enum(['begun', 'done']),
  note: z.nullable(z.string()),
});
export type CutoverEntry = z.infer<typeof cutoverEntry>;
export type CutoverStep = CutoverEntry['step'];
