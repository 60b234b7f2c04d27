import * as z from 'zod/mini';
import { isolation } from '../schema/parts.ts';
import type { ContractFacts } from './reduce.ts';

const facts = z.object({
  mutation: z.string(),
  test_command: z.nullable(z.string()),
  expected_tests: z.nullable(z.array(z.string())),
  isolation,
  judging: z.optional(z.unknown()),
});

/** The contract of a bundle. Null if it was never written, or cannot be read: other checks report that. */
export function readContractFacts(bytes: Buffer | null): ContractFacts | null {
  try {
    return facts.safeParse(JSON.parse(bytes?.toString('utf8') ?? '')).data ?? null;
  } catch {
    return null;
  }
}
