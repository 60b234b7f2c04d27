import * as z from 'zod/mini';

/*
 * The rules of ATIF 1.7 as its specification states them. The validator of its authors is a Python package, which is on no registry that
 * the tests reach, so its published rules are repeated here: unknown keys, numbering, fields of agents only, results that belong to a call.
 */
const extra = z.optional(z.record(z.string(), z.unknown()));
const count = z.int().check(z.nonnegative());
const time = z.iso.datetime();

const step = z.strictObject({
  step_id: z.int().check(z.positive()),
  timestamp: z.optional(time),
  source: z.enum(['system', 'user', 'agent']),
  model_name: z.optional(z.string()),
  reasoning_effort: z.optional(z.union([z.string(), z.number()])),
  message: z.string(),
  reasoning_content: z.optional(z.string()),
  tool_calls: z.optional(
    z.array(
      z.strictObject({
        tool_call_id: z.string(),
        function_name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        extra,
      }),
    ),
  ),
  observation: z.optional(
    z.strictObject({
      results: z.array(
        z.strictObject({ source_call_id: z.optional(z.string()), content: z.optional(z.string()), extra }),
      ),
    }),
  ),
  metrics: z.optional(
    z.strictObject({
      prompt_tokens: z.optional(count),
      completion_tokens: z.optional(count),
      cached_tokens: z.optional(count),
      cost_usd: z.optional(z.number()),
      extra,
    }),
  ),
  is_copied_context: z.optional(z.boolean()),
  llm_call_count: z.optional(count),
  extra,
});

const trajectory = z.strictObject({
  schema_version: z.literal('ATIF-v1.7'),
  session_id: z.optional(z.string()),
  trajectory_id: z.optional(z.string()),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.optional(z.string()),
    tool_definitions: z.optional(z.array(z.record(z.string(), z.unknown()))),
    extra,
  }),
  steps: z.array(step).check(z.minLength(1)),
  notes: z.optional(z.string()),
  final_metrics: z.optional(
    z.strictObject({
      total_prompt_tokens: z.optional(count),
      total_completion_tokens: z.optional(count),
      total_cached_tokens: z.optional(count),
      total_cost_usd: z.optional(z.number()),
      total_steps: z.optional(count),
      extra,
    }),
  ),
  extra,
});

const OF_AGENTS = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const;

export function atifFaults(value: unknown): string[] {
  const parsed = trajectory.safeParse(value);
  if (!parsed.success) return parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
  return parsed.data.steps.flatMap((one, index) => {
    const calls = new Set((one.tool_calls ?? []).map(({ tool_call_id: id }) => id));
    const results = one.observation?.results ?? [];
    return [
      ...(one.step_id === index + 1 ? [] : [`steps.${index}: step_id is ${one.step_id}`]),
      ...(one.source === 'agent' ? [] : OF_AGENTS.filter((name) => one[name] !== undefined)),
      ...(one.llm_call_count === 0 && one.metrics !== undefined ? [`steps.${index}: metrics without a call`] : []),
      ...results.flatMap(({ source_call_id: id }) =>
        id === undefined || calls.has(id) ? [] : [`${id} was not called`],
      ),
    ];
  });
}
