import * as z from 'zod/mini';

const START = '<<<AGENT_RESULT';
const END = 'AGENT_RESULT>>>';

const result = z.object({
  status: z.literal('completed'),
  artifacts: z.object({ commit: z.string() }),
});

/** The commit claimed by an answer's result envelope, or null. As in Case, the last envelope wins. */
export function claimedCommit(answer: string): string | null {
  const start = answer.lastIndexOf(START);
  const end = start === -1 ? -1 : answer.indexOf(END, start);
  if (end === -1) return null;
  try {
    return result.safeParse(JSON.parse(answer.slice(start + START.length, end))).data?.artifacts.commit ?? null;
  } catch {
    return null;
  }
}
