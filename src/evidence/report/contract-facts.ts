import * as z from 'zod/mini';
import { isolation } from '../schema/parts.ts';
import { standInImage } from '../schema/report.ts';
import type { ContractFacts } from './reduce.ts';

const facts = z.object({
  mutation: z.string(),
  test_command: z.nullable(z.string()),
  expected_tests: z.nullable(z.array(z.string())),
  isolation,
  judging: z.optional(z.unknown()),
  work_item: z.optional(z.string()),
  given: z.optional(
    z.union([
      z.object({ kind: z.literal('commit'), commit: z.string() }),
      z.object({ kind: z.literal('run'), run_id: z.string(), report_sha256: z.string() }),
      z.object({
        kind: z.literal('landing'),
        run_id: z.string(),
        report_sha256: z.string(),
        onto: z.string(),
        tip: z.string(),
        commit: z.string(),
        tree: z.string(),
      }),
    ]),
  ),
  attempt: z.optional(
    z.object({
      earlier: z.array(
        z.object({
          run_id: z.string(),
          report_sha256: z.string(),
          status: z.enum(['fail', 'blocked', 'held']),
          failure_reason: z.nullable(z.string()),
        }),
      ),
      feedback: z.string(),
    }),
  ),
  image: z.optional(
    z.object({ ...standInImage.shape, root: z.optional(z.object({ builder: z.string(), sha256: z.string() })) }),
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

/** All that the engine was told; empty where there is no contract. */
export function readInstruction(bytes: Buffer): string {
  try {
    const told = z
      .object({
        instruction: z.string(),
        engine_instructions: z.optional(z.string()),
        attempt: z.optional(z.object({ feedback: z.string() })),
      })
      .safeParse(JSON.parse(bytes.toString('utf8'))).data;
    const texts = [told?.instruction.trimEnd(), told?.engine_instructions, told?.attempt?.feedback];
    return texts.filter((text) => text !== undefined).join('\n\n');
  } catch {
    return '';
  }
}

const asked = z.object({
  instruction: z.string(),
  engine_instructions: z.optional(z.string()),
  repository: z.nullish(z.object({ history: z.optional(z.number()) })),
});

export interface Asked {
  /** Empty where there is no contract. */
  readonly instruction: string;
  /** What the user tells this engine in every run; empty: nothing. */
  readonly engineInstructions: string;
  /** Commits of the repository's history that the engine was given; null: none. */
  readonly history: number | null;
}

/** What the engine was told and given. A contract that was cut off shows nothing. */
export function readAsked(bytes: Buffer): Asked {
  try {
    const { instruction, engine_instructions: own = '', repository } = asked.parse(JSON.parse(bytes.toString('utf8')));
    return { instruction, engineInstructions: own, history: repository?.history ?? null };
  } catch {
    return { instruction: '', engineInstructions: '', history: null };
  }
}
