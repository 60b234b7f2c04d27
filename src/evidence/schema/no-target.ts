import * as z from 'zod/mini';
import { count } from './parts.ts';

const attempt = { call: z.string(), result: z.string(), count };

/** Path lookups and connections that an audit observed. Identical ones are counted. */
const attempts = z.strictObject({
  /** Whether the engine was traced from start to exit. */
  complete: z.boolean(),
  /** Number of calls inspected. */
  calls: count,
  /** Paths below a target, with links resolved as far as the trace shows them. `result`: `ok`, or the error's name. */
  paths: z.array(z.strictObject({ ...attempt, path: z.string() })),
  /** Connections to anything but the gateway's port. */
  connections: z.array(z.strictObject({ ...attempt, address: z.string() })),
  /** Number of entries dropped after the lists were full. */
  not_listed: z.strictObject({ paths: count, connections: count }),
  /**
   * Calls that could not be resolved: relative to a directory that the trace did not show, or creating links beyond the
   * tracked maximum.
   */
  unresolved: count,
});
export type Attempts = z.infer<typeof attempts>;

export const targetConclusion = z.enum(['not reachable', 'reachable', 'no targets configured', 'not inspected']);
export type TargetConclusion = z.infer<typeof targetConclusion>;

/** Each place searched for every target, with the number of items searched and the targets found. */
const searched = z.array(z.strictObject({ what: z.string(), items: count, matches: z.array(z.string()) }));

const inspectedSandbox = {
  /** The mount table as a process in the sandbox read it. */
  mounts: z.array(z.strictObject({ target: z.string(), mode: z.enum(['ro', 'rw']), source_kind: z.string() })),
  namespaces: z.record(z.string(), z.string()),
  probe: z.strictObject({ passed: z.boolean(), detail: z.string() }),
  /** Null without an audit. */
  attempts: z.nullable(attempts),
};
const ofRun = { run_id: z.string(), nonce: z.string(), conclusion: targetConclusion };

/** Written by version 0.1, which did not search system directories. */
const firstInspection = z.strictObject({
  schema_version: z.literal(1),
  ...ofRun,
  targets: z.array(z.string()),
  searched,
  ...inspectedSandbox,
});

const inspection = z.strictObject({
  schema_version: z.literal(2),
  ...ofRun,
  targets: z.array(
    z.strictObject({
      path: z.string(),
      /** `settings`: `target_paths` of seatrial.toml. `harness`: planted by a check, to show that targets are hidden. */
      given_by: z.enum(['settings', 'harness']),
      /** Every path at which this machine shows it, with links resolved. Empty: it does not exist. */
      shown_at: z.array(z.string()),
    }),
  ),
  searched,
  /** Directories of this machine that the work was copied from. */
  copied_from: z.array(z.strictObject({ what: z.string(), path: z.string() })),
  confinement: z.enum(['bubblewrap', 'none']),
  /** The run's own directory: it holds copies, so a target around it is not shown by them. */
  scratch: z.string(),
  /** Every path of this machine that the engine was shown, those of the system included. */
  shown: z.array(z.strictObject({ source: z.string(), target: z.string(), mode: z.enum(['ro', 'rw']) })),
  /** Paths in the sandbox that are hidden by an empty file or directory. */
  masked: z.array(z.string()),
  ...inspectedSandbox,
});
export type NoTargetInspection = z.infer<typeof inspection>;

/** `stage2-no-target-inspection.json`: whether the engine could reach a target path, and how that was checked. */
export const noTargetInspection = z.discriminatedUnion('schema_version', [firstInspection, inspection]);
