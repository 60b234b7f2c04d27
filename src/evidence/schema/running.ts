import * as z from 'zod/mini';

/** `<runs>/.live/<run_id>.json`: which process a run belongs to, so that others can tell running from interrupted. */
export const liveEntry = z.strictObject({
  run_id: z.string(),
  pid: z.int(),
  /** Start time of that process in clock ticks since boot: a reused pid has another one. Null where it could not be read. */
  pid_started: z.nullable(z.string()),
  /** Pids mean something only within one boot and one pid namespace. */
  boot_id: z.string(),
  pid_namespace: z.string(),
  /** The run's scratch folder, removed with the entry once the process is gone. */
  scratch: z.nullable(z.string()),
  /** Names of the secrets that the run keeps out of its bundle: whoever finishes it must know them too. */
  secrets: z.optional(z.array(z.string())),
});
export type LiveEntry = z.infer<typeof liveEntry>;
