import {
  type AdmissionKind,
  admissionKind,
  type AdmissionRecord,
  admissionRecord,
  engineName,
} from '../../evidence/schema/admission.ts';
import { schemaFault } from '../../evidence/schema/parts.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';

export interface Admission {
  /** File name in the admissions directory. */
  readonly file: string;
  readonly record: AdmissionRecord;
}

/** A file that may be a record but cannot be read as one. Its meaning is unknown, so it blocks. */
export interface RecordFault {
  readonly file: string;
  readonly what: string;
  readonly hint: string;
  /** The kind and engine of the record, as far as they can be read. Null: could be any. */
  readonly kind: AdmissionKind | null;
  readonly engine: string | null;
}

/** Parses a file into a record, or lists everything that is wrong with it. */
export function parseRecord(file: string, text: string): Admission | RecordFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the file, which may contain a secret.
    return unreadable(file, 'is not JSON');
  }
  const about = aboutWhat(value);
  const masker = new Masker(new SecretPatterns([]));
  masker.text(text);
  const secret = masker.masked[0]?.name;
  if (secret !== undefined)
    return {
      file,
      what: `contains what looks like a credential (${secret})`,
      hint: 'remove and revoke it; records contain variable names, never values',
      ...about,
    };
  const parsed = admissionRecord.safeParse(value);
  if (parsed.success) return { file, record: parsed.data };
  return { file, what: `is not valid: ${schemaFault(parsed.error)}`, hint: REMAKE, ...about };
}

const REMAKE = 'fix it, or remove it and admit again with `seatrial admit`';

/** A fault in a file of which nothing could be read. */
export function unreadable(file: string, what: string): RecordFault {
  return { file, what, hint: REMAKE, kind: null, engine: null };
}

function aboutWhat(value: unknown): Pick<RecordFault, 'kind' | 'engine'> {
  const { kind, engine }: { kind?: unknown; engine?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { kind: admissionKind.safeParse(kind).data ?? null, engine: engineName.safeParse(engine).data ?? null };
}
