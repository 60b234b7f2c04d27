import * as z from 'zod/mini';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { Review } from '../../evidence/schema/report.ts';

const MAX_FINDINGS = 200;
const MAX_TEXT = 4000;

const text = z.string().check(z.maxLength(MAX_TEXT));

const finding = z.object({
  file: text,
  line: z.optional(z.nullable(z.int().check(z.positive()))),
  message: text.check(z.minLength(1)),
});

/** What a reviewer answers. A rejection says what is wrong. */
const answer = z
  .object({
    verdict: z.enum(['pass', 'reject']),
    summary: z.optional(text),
    findings: z.optional(z.array(finding).check(z.maxLength(MAX_FINDINGS))),
  })
  .check(
    z.refine(
      ({ verdict, summary = '', findings = [] }) => verdict === 'pass' || summary.trim() !== '' || findings.length > 0,
      'a rejection needs a finding or a summary',
    ),
  );

/** How an answer looks, for a reviewer that is a model. */
export const ANSWER_EXAMPLE = `{
  "verdict": "reject",
  "summary": "One sentence on the change as a whole.",
  "findings": [
    { "file": "src/slug.py", "line": 12, "message": "Drops letters with accents, although they should lose the accent only." }
  ]
}`;

export type ReviewAnswer = Pick<Review, 'verdict' | 'comment' | 'findings'>;

/** The verdict in a reviewer's words; null: they are no JSON object with a verdict, and a string says why an object is none. */
export function readReviewAnswer(words: string, mask: Masker): ReviewAnswer | string | null {
  const value = parsed(words.trim());
  if (typeof value !== 'object' || value === null || !('verdict' in value)) return null;
  const read = answer.safeParse(value);
  if (!read.success) return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  const { verdict, summary = '', findings = [] } = read.data;
  return {
    verdict: verdict === 'pass' ? 'accepted' : 'rejected',
    comment: mask.text(summary.trim()),
    findings: findings.map(({ file, line = null, message }) => ({
      file: mask.text(withoutPrefix(file)),
      line,
      message: mask.text(message.trim()),
    })),
  };
}

/** Reviewers name files as they see them: below `patched/` or `base/`. */
const withoutPrefix = (file: string): string => file.replace(/^(?:\.\/)?(?:patched|base)\//, '');

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return null;
  }
}
