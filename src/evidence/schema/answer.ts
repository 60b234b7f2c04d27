import * as z from 'zod/mini';
import { isoTime } from './parts.ts';

/** `<runs>/.live/<run_id>.answers/<question>.json` of a run that goes on, `<runs>/answers/<run_id>/<digest>.json` of an ended one: the answer that counts. */
export const answer = z.strictObject({
  id: z.string(),
  decision: z.enum(['granted', 'denied']),
  by: z.string(),
  how: z.string(),
  at: isoTime,
});
export type ApprovalAnswer = z.infer<typeof answer>;
