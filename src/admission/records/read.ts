import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdmissionKind, AdmissionRecord } from '../../evidence/schema/admission.ts';
import { messageOf, systemCode } from '../../kernel/errors.ts';
import { type Admission, parseRecord, type RecordFault, unreadable } from './parse.ts';

export interface Admissions {
  readonly records: readonly Admission[];
  readonly faults: readonly RecordFault[];
}

const MAX_BYTES = 256 * 1024;

/** Reads every record in the directory; a missing directory has none. Never throws: an unreadable file is a fault. */
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

/** A link could point to a file that an engine can write; reading a pipe would never end. */
function readPlainFile(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('is not a plain file');
    if (stat.size > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES / 1024} KiB`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(fd));
  } finally {
    closeSync(fd);
  }
}

function unreadableText(error: unknown): string {
  const code = systemCode(error);
  if (code === 'ELOOP') return 'is a symbolic link, which is not followed';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text';
  return code === undefined ? messageOf(error) : `cannot be read (${code})`;
}

/** Two records for the same subject: a program must not choose between them. */
function contradictions(records: readonly Admission[]): RecordFault[] {
  return records.flatMap(({ file, record }) => {
    const subject = subjectOf(record);
    const other = records.find((one) => one.file !== file && subjectOf(one.record) === subject);
    if (other === undefined) return [];
    const { kind, engine } = record;
    return [{ file, what: `is about the same ${subject} as ${other.file}`, hint: 'remove one of them', kind, engine }];
  });
}

/** Identifies the subject of a record; each may have only one. */
export function subjectOf(record: AdmissionRecord): string {
  switch (record.kind) {
    case 'source':
      return `source ${record.id} of ${record.engine}`;
    case 'executable':
      return `executable ${record.sha256} for ${record.engine}`;
    case 'model':
      return `model ${record.provider} / ${record.model} for ${record.engine}`;
    case 'task':
      return `task ${record.task} with digest ${record.sha256} for ${record.engine}`;
  }
}

/** An unreadable file that could be the record in question or contradict it; null if there is none. */
export function faultAbout(
  kind: AdmissionKind,
  { engine, admissions }: { readonly engine: string; readonly admissions: Admissions },
): { readonly detail: string; readonly next: string } | null {
  const fault = admissions.faults.find((one) => (one.kind ?? kind) === kind && (one.engine ?? engine) === engine);
  return fault === undefined ? null : { detail: `${fault.file} ${fault.what}`, next: fault.hint };
}
