import * as z from 'zod/mini';
import { count } from './parts.ts';

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
  /** Attempts on a target seen by the audit; null when no audit was on. */
  attempts: z.nullable(z.array(z.string())),
});
export type NoTargetInspection = z.infer<typeof noTargetInspection>;
