import * as z from 'zod/mini';

/** `<runs>/.live/<run_id>.json`: the process that owns a run, so that others can tell running from interrupted. */
export const liveEntry = z.strictObject({
  run_id: z.string(),
  pid: z.int(),
  /**
   * Start time of the process in clock ticks since boot, which differs for a reused pid. Null if it could not be read.
   */
  pid_started: z.nullable(z.string()),
  /** Pids are only meaningful within one boot and one pid namespace. */
  boot_id: z.string(),
  pid_namespace: z.string(),
  /** The run's scratch directory, removed with the entry once the process has died. */
  scratch: z.nullable(z.string()),
  /** Names of the secrets that the run masks in its bundle; recovery must mask them too. */
  secrets: z.optional(z.array(z.string())),
});
export type LiveEntry = z.infer<typeof liveEntry>;
