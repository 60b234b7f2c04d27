import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AdmissionKind,
  admissionKind,
  type AdmissionRecord,
  admissionRecord,
  engineName,
} from '../evidence/schema/admission.ts';
import { schemaFault } from '../evidence/schema/parts.ts';
import { Masker } from '../evidence/secrets/mask.ts';
import { SecretPatterns } from '../evidence/secrets/patterns.ts';
import { messageOf, systemCode } from '../kernel/errors.ts';

export interface Admission {
  /** Its name in the admissions folder. */
  readonly file: string;
  readonly record: AdmissionRecord;
}

/** A file that may be a record and cannot be taken for one. What it might have said is unknown, so it stands in the way. */
export interface RecordFault {
  readonly file: string;
  readonly what: string;
  readonly hint: string;
  /** As far as can be told: which kind of record for which engine. Null: it could be any. */
  readonly kind: AdmissionKind | null;
  readonly engine: string | null;
}

export interface Admissions {
  readonly records: readonly Admission[];
  readonly faults: readonly RecordFault[];
}

const MOST_BYTES = 256 * 1024;

/** Every record of the folder; one that is missing holds none. Never throws: what cannot be read is a fault. */
export function readAdmissions(dir: string): Admissions {
  let names: string[];
  try {
    names = readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { records: [], faults: [] };
    return { records: [], faults: [unreadable(dir, `cannot be read (${systemCode(error) ?? messageOf(error)})`)] };
  }
  const records: Admission[] = [];
  const faults: RecordFault[] = [];
  for (const name of names) {
    const read = readRecord(dir, name);
    if ('record' in read) records.push(read);
    else faults.push(read);
  }
  const contradicting = contradictions(records);
  return {
    records: records.filter(({ file }) => !contradicting.some((fault) => fault.file === file)),
    faults: [...faults, ...contradicting],
  };
}

function readRecord(dir: string, file: string): Admission | RecordFault {
  let text: string;
  try {
    text = readPlainFile(join(dir, file));
  } catch (error) {
    return unreadable(file, unreadableText(error));
  }
  return parseRecord(file, text);
}

/** Narrows the text of a file to a record, or says all that is wrong with it. */
export function parseRecord(file: string, text: string): Admission | RecordFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says would quote the file, and who knows what is in it.
    return unreadable(file, 'is not JSON');
  }
  const about = aboutWhat(value);
  const masker = new Masker(new SecretPatterns([]));
  masker.text(text);
  const secret = masker.masked[0]?.name;
  if (secret !== undefined)
    return {
      file,
      what: `holds what looks like a credential (${secret})`,
      hint: 'take it out and revoke it: records hold names of variables, never values',
      ...about,
    };
  const parsed = admissionRecord.safeParse(value);
  if (parsed.success) return { file, record: parsed.data };
  return { file, what: `is not valid: ${schemaFault(parsed.error)}`, hint: REMAKE, ...about };
}

const REMAKE = 'mend it, or remove it and admit again with `seatrial admit`';

function unreadable(file: string, what: string): RecordFault {
  return { file, what, hint: REMAKE, kind: null, engine: null };
}

/** A link may lead to what an engine can write, a pipe would never end. */
function readPlainFile(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('is not a plain file');
    if (stat.size > MOST_BYTES) throw new Error(`is larger than ${MOST_BYTES / 1024} KiB`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(fd));
  } finally {
    closeSync(fd);
  }
}

function unreadableText(error: unknown): string {
  const code = systemCode(error);
  if (code === 'ELOOP') return 'is a link, which could lead anywhere';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text';
  return code === undefined ? messageOf(error) : `cannot be read (${code})`;
}

function aboutWhat(value: unknown): Pick<RecordFault, 'kind' | 'engine'> {
  const { kind, engine }: { kind?: unknown; engine?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { kind: admissionKind.safeParse(kind).data ?? null, engine: engineName.safeParse(engine).data ?? null };
}

/** Two records on the same thing: which of them holds is not for a program to choose. */
function contradictions(records: readonly Admission[]): RecordFault[] {
  return records.flatMap(({ file, record }) => {
    const subject = subjectOf(record);
    const other = records.find((one) => one.file !== file && subjectOf(one.record) === subject);
    if (other === undefined) return [];
    const { kind, engine } = record;
    return [{ file, what: `is about the same ${subject} as ${other.file}`, hint: 'remove one of them', kind, engine }];
  });
}

/** What a record is about; there is one record on each. */
export function subjectOf(record: AdmissionRecord): string {
  switch (record.kind) {
    case 'source':
      return `source ${record.id} of ${record.engine}`;
    case 'executable':
      return `executable ${record.sha256} for ${record.engine}`;
    case 'model':
      return `model ${record.provider} / ${record.model} for ${record.engine}`;
  }
}

/** A file that might hold the record in question, or contradict it, and cannot be taken for one; null: nothing is in doubt. */
export function faultAbout(
  kind: AdmissionKind,
  { engine, admissions }: { readonly engine: string; readonly admissions: Admissions },
): { readonly detail: string; readonly next: string } | null {
  const fault = admissions.faults.find((one) => (one.kind ?? kind) === kind && (one.engine ?? engine) === engine);
  return fault === undefined ? null : { detail: `${fault.file} ${fault.what}`, next: fault.hint };
}
