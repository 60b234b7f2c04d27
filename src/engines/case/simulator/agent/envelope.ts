import * as z from 'zod/mini';
import { messageOf } from '../../../../kernel/errors.ts';

const START = '<<<AGENT_RESULT';
const END = 'AGENT_RESULT>>>';
const STATUSES = ['completed', 'failed', 'blocked'] as const;

const orElse = z.catch;
const text = orElse(z.nullable(z.string()), null);
const list = orElse(z.array(z.unknown()), []);
const artifacts = z.object({
  commit: text,
  filesChanged: list,
  testsPassed: orElse(z.nullable(z.boolean()), null),
  screenshotUrls: list,
  evidenceMarkers: list,
  prUrl: text,
  prNumber: orElse(z.nullable(z.number()), null),
});
const rubric = z.object({
  role: z.enum(['verifier', 'reviewer']),
  categories: z.array(z.object({ category: z.string(), verdict: z.string(), detail: z.optional(z.string()) })),
});

/** Missing or invalid fields read as empty: Case requires only the status. */
const agentResult = z.object({
  status: z.enum(STATUSES),
  summary: orElse(z.string(), ''),
  artifacts: orElse(artifacts, artifacts.parse({})),
  findings: z.optional(orElse(z.object({ critical: z.number() }), { critical: 0 })),
  rubric: orElse(z.optional(rubric), undefined),
  error: text,
});
export type AgentResult = z.infer<typeof agentResult>;
export type Category = z.infer<typeof rubric>['categories'][number];

export const completed = (summary: string): AgentResult => agentResult.parse({ status: 'completed', summary });
const failed = (error: string): AgentResult => agentResult.parse({ status: 'failed', error });

/** Parses the result from an agent's text. The last start delimiter wins, so that an agent may quote the format before. */
export function readEnvelope(words: string): AgentResult {
  const start = words.lastIndexOf(START);
  if (start === -1) return failed('AGENT_RESULT start delimiter not found');
  const end = words.indexOf(END, start + START.length);
  if (end === -1) return failed('AGENT_RESULT end delimiter not found');
  let value: unknown;
  try {
    value = JSON.parse(words.slice(start + START.length, end));
  } catch (error) {
    return failed(`AGENT_RESULT JSON parse error: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null) return failed('AGENT_RESULT is not a JSON object');
  const status: unknown = 'status' in value ? value.status : undefined;
  if (typeof status !== 'string' || status === '') return failed('AGENT_RESULT missing required field: status');
  return agentResult.safeParse(value).data ?? failed(`AGENT_RESULT invalid status: ${status}`);
}

/** The categories that an evaluator failed. */
export function failedCategories(result: AgentResult | null): readonly Category[] {
  return result?.rubric?.categories.filter(({ verdict }) => verdict === 'fail') ?? [];
}
