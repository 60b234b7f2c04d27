import type { EvidenceLine, WorkItem } from './document.ts';
import type { PlanFacts, PlanFault, PlannedDocument, Workboard } from './facts.ts';
import { idsIn, type PlanRules } from './rules.ts';

/** What an item names as `Needs stage:`; null: it is not in that form. */
export function neededStage(text: string): { readonly engine: string; readonly stage: number } | null {
  const [, engine, stage] = /^(\S+) ([1-6])$/.exec(text) ?? [];
  return engine === undefined ? null : { engine, stage: Number(stage) };
}

/** What an item can declare as `Evidence kind:`, and the lines that are of that kind. */
const EVIDENCE_KINDS: ReadonlyMap<string, readonly EvidenceLine['kind'][]> = new Map([
  ['run', ['run']],
  ['check', ['check']],
  ['planning', ['file', 'commit']],
]);

/** What is wrong with one work item. */
export function itemFaults(
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
  for (const blocker of idsIn(blockers?.value ?? '', rules))
    if (!board.items.some((one) => one.id === blocker))
      faults.push(
        at(
          blockers?.line ?? line,
          'blocked-by',
          `is blocked by ${blocker}, which is not on the workboard`,
          'add it there, or correct the id',
        ),
      );
  const needs = fields.get('Needs stage');
  if (needs !== undefined && neededStage(needs.value) === null)
    faults.push(
      at(needs.line, 'needs-stage', `no stage: ${needs.value}`, 'write it as "Needs stage: <engine> <1 to 6>"'),
    );
  const wanted = fields.get('Evidence kind');
  const kinds = wanted === undefined ? null : EVIDENCE_KINDS.get(wanted.value);
  if (wanted !== undefined && kinds === undefined)
    faults.push(
      at(
        wanted.line,
        'evidence-kind',
        `unknown kind of evidence ${wanted.value}`,
        `use one of ${[...EVIDENCE_KINDS.keys()].join(', ')}`,
      ),
    );
  if ((status?.value ?? listed?.status) === 'validated') {
    if (evidence.length > 0 && wanted !== undefined && kinds && !evidence.some(({ kind }) => kinds.includes(kind)))
      faults.push(
        at(
          wanted.line,
          'evidence-kind',
          `no evidence of its kind, ${wanted.value}`,
          `cite a line "- ${kinds.join('" or "- ')}" under "Validation evidence:"`,
        ),
      );
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
      const fault = facts.evidenceFault(one, id);
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

/** Ids that are described more than once, at each further place. */
export function repeatedIds(documents: readonly PlannedDocument[]): PlanFault[] {
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
export function cycles(documents: readonly PlannedDocument[], rules: PlanRules): PlanFault[] {
  const all = documents.flatMap(({ path, items }) => items.map((item) => ({ path, item })));
  const next = new Map(all.map(({ item }) => [item.id, idsIn(item.fields.get('Blocked by')?.value ?? '', rules)]));
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
        message: [...chain, id].join(' is blocked by '),
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
