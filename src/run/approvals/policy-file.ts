import { basename } from 'node:path';
import * as z from 'zod/mini';
import { SeatrialError } from '../../kernel/errors.ts';
import { readText, readToml } from '../../task/toml/parse-toml.ts';
import { positionInToml } from '../../task/toml/toml-positions.ts';
import { type ApprovalPolicy, type ApprovalRule, NO_POLICY } from './policy.ts';

const text = z.string().check(z.minLength(1, 'must not be empty'));

const rule = z
  .strictObject({
    allow: z.optional(text),
    deny: z.optional(text),
    ask: z.optional(text),
    /** A glob relative to the workspace, or an absolute one. */
    path: z.optional(text),
    /** `*` stands for any text; in an `allow` rule, for words of the same command. */
    command: z.optional(text),
  })
  .check(
    z.refine(
      ({ allow, deny, ask }) => [allow, deny, ask].filter((one) => one !== undefined).length === 1,
      'a rule needs exactly one of allow, deny and ask',
    ),
  );

/** The format of an approval policy: `[[rules]]`, of which the first that matches decides. */
export const approvalsFile = z.strictObject({
  answer_within_sec: z.optional(z.int().check(z.gte(1), z.lte(86_400))),
  answer_later_within_sec: z.optional(z.int().check(z.gte(1), z.lte(31_536_000))),
  rules: z.optional(z.array(rule)),
});

/** Throws a usage error that names every fault with its place. */
export function readPolicy(path: string): ApprovalPolicy {
  const faults: string[] = [];
  const file = readToml(path, approvalsFile, faults);
  const content = readText(path, faults);
  if (file === null || content === null)
    throw new SeatrialError('usage', `approval policy ${path}: ${faults.join('; ')}`);
  return {
    answerWithinSec: file.answer_within_sec ?? NO_POLICY.answerWithinSec,
    answerLaterWithinSec: file.answer_later_within_sec ?? NO_POLICY.answerLaterWithinSec,
    rules: (file.rules ?? []).map((one, index): ApprovalRule => {
      const line = positionInToml(content, ['rules', index])?.line;
      return {
        ...effectOf(one),
        path: one.path ?? null,
        command: one.command ?? null,
        source: `${basename(path)} line ${line}`,
      };
    }),
  };
}

function effectOf({ allow, deny, ask }: z.infer<typeof rule>): Pick<ApprovalRule, 'effect' | 'action'> {
  if (allow !== undefined) return { effect: 'allow', action: allow };
  if (deny !== undefined) return { effect: 'deny', action: deny };
  return { effect: 'ask', action: ask ?? '' };
}
