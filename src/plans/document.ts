import { headingOf, type PlanRules } from './rules.ts';

/** A value and the line it stands on, from 1. */
export interface LocatedValue<T> {
  readonly value: T;
  readonly line: number;
}

export interface EvidenceLine extends LocatedValue<string> {
  readonly kind: 'run' | 'check' | 'file' | 'commit';
  readonly digest: string | null;
}

export interface WorkItem {
  readonly id: string;
  readonly line: number;
  readonly fields: ReadonlyMap<string, LocatedValue<string>>;
  readonly evidence: readonly EvidenceLine[];
}

export interface PlanDocument {
  readonly fields: ReadonlyMap<string, LocatedValue<string>>;
  readonly items: readonly WorkItem[];
}

/** Reads front matter (YAML between ---, or a table) and work items. Never throws: what is not there is absent. */
export function readPlanDocument(text: string, rules: PlanRules): PlanDocument {
  const lines = text.split(/\r?\n/);
  return { fields: frontMatter(lines, rules), items: workItems(lines, rules) };
}

function frontMatter(lines: readonly string[], { aliases }: PlanRules): ReadonlyMap<string, LocatedValue<string>> {
  const fields = new Map<string, LocatedValue<string>>();
  const add = (name: string, value: string, line: number): void => {
    const known = aliases[name] ?? name;
    if (!fields.has(known)) fields.set(known, { value, line });
  };
  if (lines[0]?.trim() === '---') {
    const end = lines.indexOf('---', 1);
    lines.slice(1, end < 0 ? 1 : end).forEach((line, index) => {
      const [, name, value] = /^([A-Za-z_]+):\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined) add(name, (value ?? '').replace(/^(["'])(.*)\1$/, '$2'), index + 2);
    });
    return fields;
  }
  const head = lines.findIndex((line) => /^\|\s*(?:name|title)\s*\|/.test(line));
  if (head < 0) return fields;
  const values = cells(lines[head + 2] ?? '');
  cells(lines[head] ?? '').forEach((name, column) => add(name, values[column] ?? '', head + 3));
  return fields;
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function workItems(lines: readonly string[], rules: PlanRules): readonly WorkItem[] {
  const heading = headingOf(rules);
  const heads = lines.flatMap((line, index) => {
    const id = heading.exec(line.trim())?.[1];
    return id === undefined ? [] : [{ id, index }];
  });
  return heads.map(({ id, index }, at) => {
    const body = lines.slice(index + 1, heads[at + 1]?.index ?? lines.length);
    const fields = new Map<string, LocatedValue<string>>();
    for (const [offset, line] of body.entries()) {
      const [, name, value] =
        /^(?:[-*]\s*)?(?:\*\*)?([A-Z][A-Za-z ]+?)(?:\*\*)?:(?:\*\*)?\s*(.*?)\.?\s*$/.exec(line) ?? [];
      if (
        name !== undefined &&
        [...rules.itemFields, 'Status', 'Evidence kind', 'Needs stage'].includes(name) &&
        !fields.has(name)
      )
        fields.set(name, { value: value || listAfter(body, offset), line: index + offset + 2 });
    }
    return { id, line: index + 1, fields, evidence: evidenceLines(body, index + 2) };
  });
}

/** The value of a field that is written as a list below its name. */
function listAfter(body: readonly string[], at: number): string {
  const rest = body.slice(at + 1);
  const end = rest.findIndex((line) => !/^[-*]\s/.test(line));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.slice(1).trim())
    .join('; ');
}

const EVIDENCE = /^[-*]\s*(run|check|file|commit)\s+(\S+)(?:\s+(sha256:[0-9a-f]{64}))?\s*$/;

/** Only lines of the list under `Validation evidence:` in a known form; free text is no evidence. */
function evidenceLines(body: readonly string[], firstLine: number): readonly EvidenceLine[] {
  const start = body.findIndex((line) => /^Validation evidence:/i.test(line));
  if (start < 0) return [];
  const list = body.slice(start + 1);
  const end = list.findIndex((line) => line.trim() !== '' && !/^[-*]/.test(line));
  return list.slice(0, end < 0 ? undefined : end).flatMap((line, offset) => {
    const [, kind, value, digest] = EVIDENCE.exec(line.trim()) ?? [];
    if (kind !== 'run' && kind !== 'check' && kind !== 'file' && kind !== 'commit') return [];
    return [{ kind, value: value ?? '', digest: digest ?? null, line: firstLine + start + 1 + offset }];
  });
}
