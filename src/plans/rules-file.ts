import * as z from 'zod/mini';
import { SeatrialError } from '../kernel/errors.ts';
import { readToml } from '../task/toml/parse-toml.ts';
import { PLAN_RULES, type PlanRules } from './rules.ts';

const names = z.array(z.string().check(z.minLength(1)));
const pattern = z.string().check(z.refine(isPattern, 'must be a regular expression'));

/** Rules of a team's own. What is not named stays as it is built in. */
export const planRulesFile = z.strictObject({
  fields: z.optional(names),
  aliases: z.optional(z.record(z.string(), z.string())),
  values: z.optional(z.record(z.string(), z.string())),
  /** Empty: none is needed. */
  disclaimer: z.optional(z.string()),
  workboard: z.optional(z.string().check(z.regex(/^[^/]+$/, 'must be the name of a file in the directory'))),
  kinds: z.optional(names),
  statuses: z.optional(
    names.check(z.refine((all) => all.includes('validated'), 'must hold validated, the status that needs evidence')),
  ),
  item_id: z.optional(pattern.check(z.minLength(1))),
  item_fields: z.optional(names),
  claims: z.optional(z.array(pattern)),
  wording: z.optional(pattern),
  secrets: z.optional(z.array(pattern)),
  max_review_days: z.optional(z.int().check(z.gte(1))),
});

/** Throws a usage error that names every fault with its place. */
export function readPlanRules(path: string): PlanRules {
  const faults: string[] = [];
  const file = readToml(path, planRulesFile, faults);
  if (file === null) throw new SeatrialError('usage', `rules for plans ${path}: ${faults.join('; ')}`);
  const { fields, aliases, values, disclaimer, workboard, kinds, statuses } = file;
  const insensitive = (source: string): RegExp => new RegExp(source, 'i');
  return {
    fields: fields ?? PLAN_RULES.fields,
    aliases: aliases ?? PLAN_RULES.aliases,
    values: values ?? PLAN_RULES.values,
    disclaimer: disclaimer ?? PLAN_RULES.disclaimer,
    workboard: workboard ?? PLAN_RULES.workboard,
    kinds: kinds ?? PLAN_RULES.kinds,
    statuses: statuses ?? PLAN_RULES.statuses,
    itemId: file.item_id === undefined ? PLAN_RULES.itemId : new RegExp(file.item_id),
    itemFields: file.item_fields ?? PLAN_RULES.itemFields,
    claims: file.claims?.map(insensitive) ?? PLAN_RULES.claims,
    wording: file.wording === undefined ? PLAN_RULES.wording : insensitive(file.wording),
    secrets: file.secrets?.map(insensitive) ?? PLAN_RULES.secrets,
    maxReviewDays: file.max_review_days ?? PLAN_RULES.maxReviewDays,
  };
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
