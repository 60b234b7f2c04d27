/** What planning documents must hold. Data, so that another team can have its own. */
export interface PlanRules {
  readonly fields: readonly string[];
  /** Names that count as the same field. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Values that fields must have. */
  readonly values: Readonly<Record<string, string>>;
  readonly disclaimer: string;
  readonly workboard: string;
  readonly kinds: readonly string[];
  readonly statuses: readonly string[];
  readonly itemId: RegExp;
  readonly itemFields: readonly string[];
  /** Wording that claims what no run has shown. */
  readonly claims: readonly RegExp[];
  /** Wording that every document must contain. */
  readonly wording: RegExp;
  /** Endpoints and credentials do not belong in documents. */
  readonly secrets: readonly RegExp[];
  /** Documents older than this are stale; null: age alone does not matter. */
  readonly maxReviewDays: number | null;
}

/** Heading of a work item: the id is the first group. */
export const headingOf = ({ itemId }: PlanRules): RegExp =>
  new RegExp(String.raw`^(?:#+\s*)?(${itemId.source})\s+[-\u2013\u2014]\s+\S`);

/** The ids of work items in a text. */
export const idsIn = (text: string, { itemId }: PlanRules): readonly string[] =>
  text.match(new RegExp(itemId.source, 'g')) ?? [];

/** The built-in rules. */
export const PLAN_RULES: PlanRules = {
  fields: [
    'name',
    'tier',
    'status',
    'owner',
    'source',
    'created',
    'last_reviewed',
    'lifecycle_classification',
    'core_promotion_status',
    'description',
  ],
  aliases: { title: 'name' },
  values: { core_promotion_status: 'not-promoted' },
  disclaimer: 'Local planning SOT only. Not a Core Protocol. Not active Core authority.',
  workboard: 'WORKBOARD.yaml',
  kinds: ['prd', 'issues'],
  statuses: ['draft', 'ready', 'in-progress', 'blocked', 'validated', 'closed'],
  itemId: /CTO-WORK-\d{3,}/,
  itemFields: ['Type', 'Blocked by', 'Allowed files', 'Validator', 'Done evidence'],
  claims: [/\bis (?:now )?the default backend\b/i, /\bcore[- ]promoted\b/i],
  wording: /\bcandidate\b|\bfixture\b|\bplanning\b/i,
  secrets: [
    /https?:\/\/[^\s/@]+:[^\s/@]+@/i,
    /\bhttps?:\/\/(?:localhost|\d{1,3}(?:\.\d{1,3}){3})[:/]/i,
    /\bsk-[A-Za-z0-9_-]{16,}/,
  ],
  maxReviewDays: null,
};
