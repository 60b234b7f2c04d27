import * as z from 'zod/mini';
import { taskSeconds } from '../contract.ts';

const anything = z.optional(z.unknown());

/** The `task.yaml` of the older Terminal-Bench layout. `descriptions` came before `instruction`. */
export const benchFileSchema = z.strictObject({
  instruction: z.optional(z.string()),
  descriptions: z.optional(z.array(z.looseObject({ key: z.optional(z.string()), description: z.string() }))),
  max_agent_timeout_sec: z.optional(taskSeconds),
  max_test_timeout_sec: z.optional(taskSeconds),
  parser_name: z.optional(z.string()),
  test_scripts: z.optional(z.array(z.string())),
  author: anything,
  author_name: anything,
  author_email: anything,
  difficulty: anything,
  category: anything,
  tags: anything,
  language: anything,
  env_name: anything,
  run_tests_in_same_shell: anything,
  disable_asciinema: anything,
  estimated_duration_sec: anything,
  expert_time_estimate_min: anything,
  junior_time_estimate_min: anything,
});
export type BenchFile = z.infer<typeof benchFileSchema>;

/** What the engine is told: the instruction, or the base description of an old file. */
export function benchInstruction({ instruction, descriptions = [] }: BenchFile): string {
  const base = descriptions.find(({ key }) => key === 'base') ?? descriptions[0];
  return instruction ?? base?.description ?? '';
}
