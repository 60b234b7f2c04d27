import * as z from 'zod/mini';

/** Schemas shared by several file formats. */
export const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const isoTime = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));
export const count = z.int().check(z.nonnegative());

export const status = z.enum(['pass', 'fail', 'blocked']);
export type Status = z.infer<typeof status>;

/** How far a test result can be trusted: see docs/judge.md. */
export const isolation = z.enum(['black_box', 'blinded', 'checked', 'in_process', 'exit_code']);
export type Isolation = z.infer<typeof isolation>;

export const completion = z.enum(['exited', 'timed_out', 'completed_by_harness', 'turn_over', 'not_started']);
export type Completion = z.infer<typeof completion>;

const MAX_FAULTS = 3;

/** Schema faults in one line: the first few, each with its path, and the number of the rest. */
export function schemaFault(error: z.core.$ZodError): string {
  const faults = error.issues.map(
    (issue) => `${issue.path.length === 0 ? 'value' : issue.path.join('.')}: ${issueText(issue)}`,
  );
  const more = faults.length - MAX_FAULTS;
  return [...faults.slice(0, MAX_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** zod/mini ships without messages. */
const NO_TEXT = 'Invalid input';

function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return issue.message === NO_TEXT ? `not in the form ${issue.pattern ?? issue.format}` : issue.message;
    default:
      return issue.message.toLowerCase();
  }
}
