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

/** `stage2-no-target-inspection.json`: whether the engine could reach a target path, and how that was checked. */
export const noTargetInspection = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  nonce: z.string(),
  conclusion: z.enum(['not reachable', 'reachable', 'no targets configured', 'not inspected']),
  targets: z.array(z.string()),
  /** Each place searched for every target, with the number of items searched and the matches. */
  searched: z.array(z.strictObject({ what: z.string(), items: count, matches: z.array(z.string()) })),
  mounts: z.array(z.strictObject({ target: z.string(), mode: z.enum(['ro', 'rw']), source_kind: z.string() })),
  namespaces: z.record(z.string(), z.string()),
  probe: z.strictObject({ passed: z.boolean(), detail: z.string() }),
  /** Null without an audit. */
  attempts: z.nullable(attempts),
});
export type NoTargetInspection = z.infer<typeof noTargetInspection>;
