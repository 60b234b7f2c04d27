import * as z from 'zod/mini';
import { isolation } from '../schema/parts.ts';
import type { ContractFacts } from './reduce.ts';

const facts = z.object({
  mutation: z.string(),
  test_command: z.nullable(z.string()),
  expected_tests: z.nullable(z.array(z.string())),
  isolation,
  judging: z.optional(z.unknown()),
  given: z.optional(
    z.union([
      z.object({ kind: z.literal('commit'), commit: z.string() }),
      z.object({ kind: z.literal('run'), run_id: z.string(), report_sha256: z.string() }),
    ]),
  ),
  attempt: z.optional(
    z.object({
      earlier: z.array(
        z.object({
          run_id: z.string(),
          report_sha256: z.string(),
          status: z.enum(['fail', 'blocked']),
          failure_reason: z.nullable(z.string()),
        }),
      ),
      feedback: z.string(),
    }),
  ),
});

/** The contract of a bundle. Null if it was never written, or cannot be read: other checks report that. */
export function readContractFacts(bytes: Buffer | null): ContractFacts | null {
  try {
    return facts.safeParse(JSON.parse(bytes?.toString('utf8') ?? '')).data ?? null;
  } catch {
    return null;
  }
}
