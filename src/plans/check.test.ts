import { expect, it, test } from 'vitest';
import { checkPlans } from './check.ts';
import type { PlanFacts, PlannedDocument, Workboard } from './facts.ts';
import { readPlanDocument } from './document.ts';
import { planExample } from './example.ts';
import { PLAN_RULES } from './rules.ts';

const DAY = '2026-11-17';
const example = planExample(DAY);
const board: Workboard = {
  documents: [
    { path: 'plans/PRD.md', kind: 'prd', line: 2 },
    { path: 'plans/ISSUES.md', kind: 'issues', line: 3 },
  ],
  items: [
    { id: 'CTO-WORK-001', status: 'ready', document: 'plans/ISSUES.md', line: 5 },
    { id: 'CTO-WORK-002', status: 'draft', document: 'plans/ISSUES.md', line: 6 },
  ],
};
const facts: PlanFacts = {
  exists: (path) => path in example,
  lastCommitDay: () => DAY,
  evidenceFault: ({ value }) => (value === 'good' ? null : 'the run is a fail, which proves nothing'),
  today: DAY,
};
const documentOf = (path: string, text: string): PlannedDocument => ({
  path,
  kind: 'issues',
  text,
  ...readPlanDocument(text, PLAN_RULES),
});
const texts = { prd: example['plans/PRD.md'] ?? '', issues: example['plans/ISSUES.md'] ?? '' };
const check = (changed: Partial<typeof texts> = {}, on: Workboard = board, known: PlanFacts = facts) =>
  checkPlans(
    on,
    [
      documentOf('plans/PRD.md', changed.prd ?? texts.prd),
      documentOf('plans/ISSUES.md', changed.issues ?? texts.issues),
    ],
    known,
    PLAN_RULES,
  );

it('finds nothing on the example', () => {
  expect(check()).toEqual([]);
});

const issues = (before: string | RegExp, after: string) => ({ issues: texts.issues.replace(before, after) });
const VALIDATED = /Type: AFK\n/;
const item = (id: string, status: string) => ({ id, status, document: 'plans/ISSUES.md', line: 7 });

const PLANTED: readonly [what: string, faults: () => ReturnType<typeof check>, rule: string, line: number][] = [
  ...PLAN_RULES.fields
    .map(
      (name) =>
        [`no ${name}`, () => check(issues(new RegExp(`^${name}: .*$`, 'm'), 'x_y: z')), 'front-matter', 1] as const,
    )
    .map(([what, faults, rule, line]): (typeof PLANTED)[number] => [what, faults, rule, line]),
  ['promoted', () => check(issues('not-promoted', 'promoted')), 'front-matter-value', 10],
  ['a wrong date', () => check(issues(`created: ${DAY}`, 'created: yesterday')), 'date', 7],
  [
    'a stale review',
    () => check({}, board, { ...facts, lastCommitDay: (path) => (path === 'plans/PRD.md' ? '2026-12-01' : null) }),
    'stale',
    8,
  ],
  ['no disclaimer', () => check(issues('Not a Core Protocol.', '')), 'disclaimer', 1],
  ['a claim', () => check(issues('# Issue sequence', 'Case is now the default backend.')), 'claim', 16],
  ['an endpoint', () => check(issues('# Issue sequence', 'See http://127.0.0.1:8000/v1')), 'secret', 16],
  ['no type', () => check(issues(VALIDATED, '')), 'item-field', 18],
  ['no validator', () => check(issues(/Validator: seatrial run.*\n/, '')), 'item-field', 18],
  ['an unknown blocker', () => check(issues('Blocked by: CTO-WORK-001', 'Blocked by: CTO-WORK-099')), 'blocked-by', 34],
  ['a cycle', () => check(issues('Blocked by: none', 'Blocked by: CTO-WORK-002')), 'cycle', 21],
  ['an unlisted item', () => check({}, { ...board, items: board.items.slice(0, 1) }), 'item-not-listed', 31],
  ['a status of its own', () => check(issues(VALIDATED, 'Type: AFK\nStatus: blocked\n')), 'item-status-differs', 21],
  [
    'an illegal status',
    () => check({}, { ...board, items: [...board.items.slice(0, 1), item('CTO-WORK-002', 'done')] }),
    'item-status',
    7,
  ],
  [
    'validated by words',
    () => check({}, { ...board, items: [item('CTO-WORK-001', 'validated'), ...board.items.slice(1)] }),
    'evidence',
    18,
  ],
  [
    'a failed run as proof',
    () =>
      check(issues(VALIDATED, 'Type: AFK\nStatus: validated.\nValidation evidence:\n- run bad\n'), {
        ...board,
        items: [item('CTO-WORK-001', 'validated'), ...board.items.slice(1)],
      }),
    'evidence',
    23,
  ],
  [
    'evidence of another kind than declared',
    () =>
      check(
        issues(VALIDATED, 'Type: AFK\nEvidence kind: check\nStatus: validated.\nValidation evidence:\n- run good\n'),
        { ...board, items: [item('CTO-WORK-001', 'validated'), ...board.items.slice(1)] },
      ),
    'evidence-kind',
    21,
  ],
  [
    'an unknown kind of evidence',
    () => check(issues(VALIDATED, 'Type: AFK\nEvidence kind: hearsay\n')),
    'evidence-kind',
    21,
  ],
  [
    'an item in no document',
    () => check({}, { ...board, items: [...board.items, item('CTO-WORK-003', 'ready')] }),
    'item-unknown',
    7,
  ],
  [
    'a missing document',
    () => check({}, { ...board, documents: [...board.documents, { path: 'gone.md', kind: 'prd', line: 4 }] }),
    'document-missing',
    4,
  ],
  ['no prd', () => check({}, { ...board, documents: board.documents.slice(1) }), 'workboard-document', 1],
];

test.each(PLANTED)('%s is found once, on its line', (_what, faults, rule, line) => {
  const found = faults();
  expect(found.map((one) => [one.rule, one.line])).toContainEqual([rule, line]);
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(found.length);
});

it('finds 25 faults in one pass, none twice', () => {
  const bare = (text: string): string => text.replace(/^---[^]*?authority\.\n/, '');
  const spoiled = bare(texts.issues)
    .replace('# Issue sequence', 'The candidate is now the default backend.\nSee http://127.0.0.1:8000/v1')
    .replace('Blocked by: none', 'Blocked by: CTO-WORK-002');
  const found = check({ prd: bare(texts.prd), issues: spoiled });
  expect(found).toHaveLength(25);
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(25);
});

it('takes evidence that holds', () => {
  const on = { ...board, items: [item('CTO-WORK-001', 'validated'), ...board.items.slice(1)] };
  for (const declared of ['', 'Evidence kind: run\n']) {
    const proven = `Type: AFK\n${declared}Status: validated.\nValidation evidence:\n- run good\n`;
    expect(check(issues(VALIDATED, proven), on)).toEqual([]);
  }
});

it('reads front matter from a table, and hints at the other spelling of a source', () => {
  const table = `| name | source |\n|---|---|\n| x | sot/PRD.md |\n`;
  const { fields } = readPlanDocument(table, PLAN_RULES);
  expect(fields.get('source')).toEqual({ value: 'sot/PRD.md', line: 3 });
  const known = { ...facts, exists: (path: string) => path in example || path === '.sot/PRD.md' };
  expect(check(issues('source: plans/PRD.md', 'source: sot/PRD.md'), board, known)).toEqual([
    expect.objectContaining({ rule: 'source', line: 6, hint: 'did you mean .sot/PRD.md?' }),
  ]);
});
