import { lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseBytes } from '../../evidence/schema/document.ts';
import { type StageRecord, stageRecord } from '../../evidence/stage-records/schema.ts';
import { makeDirs, replaceFile, syncDir, writeSynced } from '../../evidence/storage/durable.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { type KeptRecord, orderRecords, type OrderedRecords } from './chain.ts';
import { checkFileSignature, signFile } from './signature.ts';
import type { AllowedSigners } from './signers.ts';

const DIRS = { batch: 'batches', decision: 'decisions' } as const;

/** Every record of a stages directory, in order. A missing directory has none. Never throws for a bad file. */
export function readHistory(dir: string): OrderedRecords {
  const kept: KeptRecord[] = [];
  const faults: string[] = [];
  for (const [kind, name] of Object.entries(DIRS))
    for (const file of jsonFilesIn(join(dir, name), faults)) {
      const path = join(dir, name, file);
      const read = readRecordFile(path, kind);
      if (typeof read === 'string') faults.push(`${join(name, file)} ${read}`);
      else kept.push({ file: join(name, file), ...read });
    }
  if (faults.length > 0) return { ok: false, faults };
  return orderRecords(kept);
}

function readRecordFile(path: string, kind: string): Pick<KeptRecord, 'record' | 'sha256'> | string {
  try {
    if (!lstatSync(path).isFile()) return 'is not a plain file';
    const bytes = readFileSync(path);
    const parsed = parseBytes(bytes, stageRecord);
    if (!parsed.ok) return `is not a record of a stage (${parsed.fault})`;
    return parsed.value.kind === kind
      ? { record: parsed.value, sha256: sha256(bytes) }
      : `holds a ${parsed.value.kind}`;
  } catch (error) {
    return `cannot be read (${messageOf(error)})`;
  }
}

function jsonFilesIn(dir: string, faults: string[]): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') faults.push(`${dir} cannot be read (${messageOf(error)})`);
    return [];
  }
}

export const recordPath = (dir: string, { file }: Pick<KeptRecord, 'file'>): string => join(dir, file);

/** What is added to a history. Its place and its id are given to it here. */
type Draft<R> = R extends StageRecord ? Omit<R, 'schema_version' | 'id' | 'previous' | 'signers_sha256'> : never;
export type RecordDraft = Draft<StageRecord>;

/** How a record is signed. Null: a demotion that no person decides. */
export type Signing = { readonly key: string; readonly signers: AllowedSigners } | null;

/** A file that goes beside a record: the suffix of its name, and its bytes. */
export interface Companion {
  readonly suffix: string;
  readonly bytesFor: (kept: KeptRecord) => Buffer;
}

/**
 * Adds a record at the end of the history, signed where a person decides. A companion is there before its record. Durable on return.
 */
export function appendRecord(
  dir: string,
  draft: RecordDraft,
  signing: Signing,
  companion: Companion | null = null,
): Promise<KeptRecord> {
  return reportingWrite(dir, () => {
    makeDirs(dir);
    return withLock(join(dir, '.lock'), () => append(dir, draft, signing, companion));
  });
}

function append(dir: string, draft: RecordDraft, signing: Signing, companion: Companion | null): KeptRecord {
  const history = readHistory(dir);
  if (!history.ok) throw damaged(dir, history.faults);
  const taken = new Set(history.records.map(({ record: { id } }) => id));
  const id = freeId(draft, taken);
  const { head: previous } = history;
  const signers_sha256 = signing?.signers.sha256 ?? null;
  const record: StageRecord = { schema_version: 1, id, previous, signers_sha256, ...draft };
  const bytes = Buffer.from(prettyJson(record));
  const home = join(dir, DIRS[record.kind]);
  makeDirs(home);
  const scratch = mkdtempSync(join(dir, '.draft-'));
  try {
    const name = `${id}.json`;
    writeSynced(join(scratch, name), bytes);
    if (signing !== null) {
      signFile(join(scratch, name), signing.key);
      const check = checkFileSignature(join(scratch, name), record.at, signing.signers);
      if (!check.ok) throw new SeatrialError('blocked', `${signing.key} cannot decide about stages: ${check.fault}`);
      renameSync(join(scratch, `${name}.sig`), join(home, `${name}.sig`));
    }
    const kept = { file: join(DIRS[record.kind], name), sha256: sha256(bytes), record };
    if (companion !== null) replaceFile(join(home, `${id}${companion.suffix}`), companion.bytesFor(kept));
    renameSync(join(scratch, name), join(home, name));
    syncDir(home);
    return kept;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function freeId({ at, subject, stage, kind }: RecordDraft, taken: ReadonlySet<string>): string {
  const stamp = at.replaceAll(/[-:]|\.\d+/g, '');
  const name = `${stamp}-${subject.engine.replaceAll(/[^A-Za-z0-9._-]/g, '_')}-stage${stage}-${kind}`;
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(id)) return id;
  }
}

export function damaged(dir: string, faults: readonly string[]): SeatrialError {
  return new SeatrialError(
    'blocked',
    `the history of stages in ${dir} is damaged, so none counts: ${faults.join('; ')}`,
  );
}
