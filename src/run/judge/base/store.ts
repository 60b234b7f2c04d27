import { mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BaseRecord, baseRecord } from '../../../evidence/schema/base-record.ts';
import { replaceFile } from '../../../evidence/storage/durable.ts';
import { canonicalJson, prettyJson } from '../../../kernel/canonical.ts';
import { sha256 } from '../../../kernel/digest.ts';

/** Everything that a base record depends on. Changing what a record means changes `RECORD_VERSION`. */
export interface RecordKey {
  /** Digest of the base's files. */
  readonly baseSha256: string;
  /** Digest of the sealed tests that are added to them; absent: none. */
  readonly sealedSha256?: string;
  readonly testCommand: string;
  readonly productsSha256: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly confine: string;
  /** Where programs are looked for. */
  readonly path: string;
  /** Digests of the caller's programs, and of the packages that they import. */
  readonly programs: readonly string[];
}

const RECORD_VERSION = 5;

export const keyOfRecord = (key: RecordKey): string => sha256(canonicalJson({ ...key, version: RECORD_VERSION }));

const fileOf = (cacheDir: string, key: string): string => join(cacheDir, 'base', `${key}.json`);

/** Null: there is none, or it cannot be read and must be taken again. */
export function findRecord(cacheDir: string | null, key: string): BaseRecord | null {
  if (cacheDir === null) return null;
  try {
    const found = baseRecord.parse(JSON.parse(readFileSync(fileOf(cacheDir, key), 'utf8')));
    if (found.key !== key) return null;
    noteRecordUse(fileOf(cacheDir, key));
    return found;
  } catch {
    return null;
  }
}

/** The least recently used entry leaves the cache first. */
export function noteRecordUse(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // A cache that cannot be written is never pruned.
  }
}

export function keepRecord(cacheDir: string | null, record: BaseRecord): void {
  if (cacheDir !== null) keepIfPossible(fileOf(cacheDir, record.key), prettyJson(record));
}

/** Writes a file of the cache, which may be read-only or full. */
export function keepIfPossible(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, Buffer.from(text));
  } catch {
    // Only time is lost: what it holds is found out again.
  }
}
