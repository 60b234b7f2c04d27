import type { PlanFacts, PlanFault, PlannedDocument, Workboard } from './facts.ts';
import { cycles, itemFaults, repeatedIds } from './work-items.ts';
import type { PlanRules } from './rules.ts';

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
    ...cycles(documents, rules),
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
