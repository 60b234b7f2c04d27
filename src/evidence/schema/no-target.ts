import * as z from 'zod/mini';
import { count } from './parts.ts';

const attempt = { call: z.string(), result: z.string(), count };

/** What an audit saw of the calls by which an engine looked for something. Equal ones are counted. */
const attempts = z.strictObject({
  /** The engine was traced from its start to its end. */
  complete: z.boolean(),
  /** All calls that were looked at. */
  calls: count,
  /** Below a target path, links followed as far as the trace shows them. `result`: `ok`, or the error's name. */
  paths: z.array(z.strictObject({ ...attempt, path: z.string() })),
  /** To anywhere but the one port that leads to the gateway. */
  connections: z.array(z.strictObject({ ...attempt, address: z.string() })),
  /** How many came when the lists were full. */
  not_listed: z.strictObject({ paths: count, connections: count }),
  /** Calls that could not be followed: by a relative path from a folder that the trace did not show, or making links beyond those remembered. */
  unresolved: count,
});
export type Attempts = z.infer<typeof attempts>;

/** `stage2-no-target-inspection.json`: that no target path was within the engine's reach, and how that was found. */
export const noTargetInspection = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  nonce: z.string(),
  conclusion: z.enum(['not reachable', 'reachable', 'no targets configured', 'not inspected']),
  targets: z.array(z.string()),
  /** Each place that was searched for every target, with the number of items looked at and what was found. */
  searched: z.array(z.strictObject({ what: z.string(), items: count, matches: z.array(z.string()) })),
  mounts: z.array(z.strictObject({ target: z.string(), mode: z.enum(['ro', 'rw']), source_kind: z.string() })),
  namespaces: z.record(z.string(), z.string()),
  probe: z.strictObject({ passed: z.boolean(), detail: z.string() }),
  /** Null when no audit was on. */
  attempts: z.nullable(attempts),
});
export type NoTargetInspection = z.infer<typeof noTargetInspection>;
