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

/** Nothing is known of what it says. */
export function unreadable(file: string, what: string): RecordFault {
  return { file, what, hint: REMAKE, kind: null, engine: null };
}

function aboutWhat(value: unknown): Pick<RecordFault, 'kind' | 'engine'> {
  const { kind, engine }: { kind?: unknown; engine?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { kind: admissionKind.safeParse(kind).data ?? null, engine: engineName.safeParse(engine).data ?? null };
}
