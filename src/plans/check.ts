import type { EvidenceLine, PlanDocument, WorkItem } from './document.ts';
import type { PlanRules } from './rules.ts';

/** One fault: where, what, and how to mend it. */
export interface PlanFault {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

export interface PlannedDocument extends PlanDocument {
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}

export interface Workboard {
  readonly documents: readonly { readonly path: string; readonly kind: string; readonly line: number }[];
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly document: string;
    readonly line: number;
  }[];
}

/** What only the file system, git and bundles can tell. */
export interface PlanFacts {
  exists(path: string): boolean;
  /** Day of the last commit of a file, `yyyy-mm-dd`; null: unknown. */
  lastCommitDay(path: string): string | null;
  /** Null: it holds as evidence. */
  evidenceFault(evidence: EvidenceLine): string | null;
  readonly today: string;
}

/** Every fault of a set of planning documents, in one pass. Pure; it claims nothing about any backend. */
export function checkPlans(
  board: Workboard,
  documents: readonly PlannedDocument[],
  facts: PlanFacts,
  rules: PlanRules,
): readonly PlanFault[] {
  return [
    ...boardFaults(board, documents, facts, rules),
    ...documents.flatMap((document) => documentFaults(document, facts, rules)),
    ...documents.flatMap((document) =>
      document.items.flatMap((item) => itemFaults(item, document, board, facts, rules)),
    ),
    ...repeatedIds(documents),
    ...cycles(documents),
  ].toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function boardFaults(
  board: Workboard,
  documents: readonly PlannedDocument[],
  facts: PlanFacts,
  rules: PlanRules,
): PlanFault[] {
  const at = (line: number, rule: string, message: string, hint: string): PlanFault => ({
    rule,
    file: rules.workboard,
    line,
    message,
    hint,
  });
  const known = new Set(documents.flatMap(({ items }) => items.map(({ id }) => id)));
  const listed = board.items.map(({ id }) => id);
  return [
    ...rules.kinds
      .filter((kind) => !board.documents.some((document) => document.kind === kind))
      .map((kind) =>
        at(1, 'workboard-document', `no document of kind ${kind}`, `add {path, kind: ${kind}} to documents`),
      ),
    ...board.documents.flatMap(({ path, kind, line }) => [
      ...(facts.exists(path)
        ? []
        : [at(line, 'document-missing', `${path} does not exist`, 'write the document, or remove the entry')]),
      ...(rules.kinds.includes(kind)
        ? []
        : [at(line, 'document-kind', `unknown kind ${kind}`, `use one of ${rules.kinds.join(', ')}`)]),
    ]),
    ...board.items.flatMap(({ id, status, line }, index) => [
      ...(rules.statuses.includes(status)
        ? []
        : [at(line, 'item-status', `${id}: unknown status ${status}`, `use one of ${rules.statuses.join(', ')}`)]),
      ...(known.has(id)
        ? []
        : [at(line, 'item-unknown', `${id} is in no document`, 'describe it in an issues document, or remove it')]),
      ...(listed.indexOf(id) === index
        ? []
        : [at(line, 'item-twice', `${id} is listed twice`, 'remove one of the entries')]),
    ]),
  ];
}

function documentFaults(document: PlannedDocument, facts: PlanFacts, rules: PlanRules): PlanFault[] {
  const { path: file, fields, text } = document;
  const at = (line: number, rule: string, message: string, hint: string): PlanFault => ({
    rule,
    file,
    line,
    message,
    hint,
  });
  const faults: PlanFault[] = [];
  for (const name of rules.fields)
    if ((fields.get(name)?.value ?? '') === '')
      faults.push(
        at(fields.get(name)?.line ?? 1, 'front-matter', `${name} is missing`, `add ${name} to the front matter`),
      );
  for (const [name, wanted] of Object.entries(rules.values)) {
    const found = fields.get(name);
    if (found !== undefined && found.value !== '' && found.value !== wanted)
      faults.push(
        at(
          found.line,
          'front-matter-value',
          `${name} is ${found.value}`,
          `only ${wanted} is allowed in planning documents`,
        ),
      );
  }
  for (const name of ['created', 'last_reviewed']) {
    const day = fields.get(name);
    if (day !== undefined && day.value !== '' && !isDay(day.value))
      faults.push(at(day.line, 'date', `${name} is not a date: ${day.value}`, 'write it as yyyy-mm-dd'));
  }
  if (!text.includes(rules.disclaimer))
    faults.push(at(1, 'disclaimer', 'the disclaimer is missing', `add the line: ${rules.disclaimer}`));
  if (!rules.wording.test(text))
    faults.push(at(1, 'wording', 'nothing says that this is a plan for a candidate', 'say so in the description'));
  text.split('\n').forEach((line, index) => {
    if (rules.claims.some((claim) => claim.test(line)))
      faults.push(
        at(index + 1, 'claim', `claims what no run has shown: ${line.trim().slice(0, 80)}`, 'call it a candidate'),
      );
    if (rules.secrets.some((secret) => secret.test(line)))
      faults.push(at(index + 1, 'secret', 'an endpoint or a credential', 'name the variable that holds it instead'));
  });
  return [...faults, ...sourceFaults(document, facts, rules)];
}

function sourceFaults(
  { path: file, fields }: PlannedDocument,
  facts: PlanFacts,
  { maxReviewDays }: PlanRules,
): PlanFault[] {
  const source = fields.get('source');
  const reviewed = fields.get('last_reviewed');
  const faults: PlanFault[] = [];
  if (source !== undefined && source.value !== '' && !facts.exists(source.value)) {
    const other = source.value.startsWith('.sot/') ? source.value.slice(1) : `.${source.value}`;
    const hint =
      /^\.?sot\//.test(source.value) && facts.exists(other)
        ? `did you mean ${other}?`
        : 'give the path of the document it stems from';
    faults.push({ rule: 'source', file, line: source.line, message: `source ${source.value} does not exist`, hint });
  }
  if (reviewed === undefined || !isDay(reviewed.value)) return faults;
  const stale = (message: string): PlanFault => ({
    rule: 'stale',
    file,
    line: reviewed.line,
    message,
    hint: 'review the document and update last_reviewed',
  });
  const changed = source === undefined ? null : facts.lastCommitDay(source.value);
  if (changed !== null && changed > reviewed.value)
    faults.push(stale(`its source changed on ${changed}, after last_reviewed ${reviewed.value}`));
  const age = (Date.parse(facts.today) - Date.parse(reviewed.value)) / 86_400_000;
  if (maxReviewDays !== null && age > maxReviewDays)
    faults.push(stale(`last_reviewed ${reviewed.value} is more than ${maxReviewDays} days ago`));
  return faults;
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function itemFaults(
  item: WorkItem,
  { path: file }: PlannedDocument,
  board: Workboard,
  facts: PlanFacts,
  rules: PlanRules,
): PlanFault[] {
  const { id, line, fields, evidence } = item;
  const at = (where: number, rule: string, message: string, hint: string): PlanFault => ({
    rule,
    file,
    line: where,
    message: `${id}: ${message}`,
    hint,
  });
  const faults: PlanFault[] = [];
  const listed = board.items.find((one) => one.id === id);
  if (listed === undefined)
    faults.push(at(line, 'item-not-listed', `is not on the workboard`, `add {id: ${id}, status, document} to items`));
  else if (listed.document !== file)
    faults.push(at(line, 'item-document', `is listed under ${listed.document}`, 'correct the document of its entry'));
  for (const name of rules.itemFields)
    if ((fields.get(name)?.value ?? '') === '')
      faults.push(at(fields.get(name)?.line ?? line, 'item-field', `${name} is missing`, `add a line "${name}: …"`));
  const status = fields.get('Status');
  if (status !== undefined && !rules.statuses.includes(status.value))
    faults.push(
      at(status.line, 'item-status', `unknown status ${status.value}`, `use one of ${rules.statuses.join(', ')}`),
    );
  else if (status !== undefined && listed !== undefined && status.value !== listed.status)
    faults.push(
      at(
        status.line,
        'item-status-differs',
        `status ${status.value}, but ${listed.status} on the workboard`,
        'make them agree',
      ),
    );
  const blockers = fields.get('Blocked by');
  for (const blocker of idsIn(blockers?.value ?? ''))
    if (!board.items.some((one) => one.id === blocker))
      faults.push(
        at(
          blockers?.line ?? line,
          'blocked-by',
          `is blocked by ${blocker}, which is not on the workboard`,
          'add it there, or correct the id',
        ),
      );
  if ((status?.value ?? listed?.status) === 'validated') {
    if (evidence.length === 0)
      faults.push(
        at(
          line,
          'evidence',
          'evidence not found',
          'list runs, checks, files or commits under "Validation evidence:"; free text is no evidence',
        ),
      );
    for (const one of evidence) {
      const fault = facts.evidenceFault(one);
      if (fault !== null)
        faults.push(
          at(
            one.line,
            'evidence',
            `${one.kind} ${one.value}: ${fault}`,
            'cite evidence that holds, or set the status back',
          ),
        );
    }
  }
  return faults;
}

const idsIn = (text: string): readonly string[] => text.match(/CTO-WORK-\d{3,}/g) ?? [];

function repeatedIds(documents: readonly PlannedDocument[]): PlanFault[] {
  const seen = new Map<string, string>();
  return documents.flatMap(({ path: file, items }) =>
    items.flatMap(({ id, line }) => {
      const before = seen.get(id);
      seen.set(id, before ?? `${file}:${line}`);
      return before === undefined
        ? []
        : [
            {
              rule: 'item-twice',
              file,
              line,
              message: `${id} is described twice, first in ${before}`,
              hint: 'give one of them another id',
            },
          ];
    }),
  );
}

/** Each cycle once, at its first item. */
function cycles(documents: readonly PlannedDocument[]): PlanFault[] {
  const all = documents.flatMap(({ path, items }) => items.map((item) => ({ path, item })));
  const next = new Map(all.map(({ item }) => [item.id, idsIn(item.fields.get('Blocked by')?.value ?? '')]));
  const found = new Set<string>();
  return all.flatMap(({ path: file, item: { id, line, fields } }) => {
    const chain = wayBack(id, next);
    if (chain === null) return [];
    const key = [...chain].toSorted().join();
    if (found.has(key)) return [];
    found.add(key);
    return [
      {
        rule: 'cycle',
        file,
        line: fields.get('Blocked by')?.line ?? line,
        message: `${[...chain, id].join(' is blocked by ')}`,
        hint: 'remove one of these',
      },
    ];
  });
}

function wayBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const visit = (id: string, path: readonly string[], seen: Set<string>): readonly string[] | null => {
    for (const to of next.get(id) ?? []) {
      if (to === start) return path;
      if (seen.has(to)) continue;
      seen.add(to);
      const found = visit(to, [...path, to], seen);
      if (found !== null) return found;
    }
    return null;
  };
  return visit(start, [start], new Set());
}
