import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs, syncDir, writeSynced, writeWhole } from '../../evidence/storage/durable.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import type { AdmissionRecord } from '../../evidence/schema/admission.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { Admission } from './parse.ts';
import { readAdmissions, subjectOf } from './read.ts';

/** Writes a record to a new file. A record for the same subject is only replaced with `update`. */
export async function keepAdmission(dir: string, record: AdmissionRecord, update: boolean): Promise<Admission> {
  try {
    makeAdmissionsDir(dir);
    return await withLock(join(dir, '.lock'), () => keep(dir, record, update));
  } catch (error) {
    if (error instanceof SeatrialError && error.code === 'usage') throw error;
    throw new SeatrialError('usage', `cannot write the admissions directory ${dir}: ${messageOf(error)}`, error);
  }
}

/** Records name programs of this machine. With a .gitignore, a surrounding repository does not show them as untracked files. */
function makeAdmissionsDir(dir: string): void {
  if (existsSync(dir)) return;
  makeDirs(dir, 0o755);
  writeWhole(join(dir, '.gitignore'), '*\n');
}

function keep(dir: string, record: AdmissionRecord, update: boolean): Admission {
  const known = readAdmissions(dir).records.find((one) => subjectOf(one.record) === subjectOf(record));
  if (known !== undefined && !update)
    throw new SeatrialError('usage', `${known.file} already admits ${subjectOf(record)}; use --update to replace it`);
  const kept: Admission = {
    file: known?.file ?? fileNameOf(record),
    record: known === undefined ? record : successorOf(known.record, record),
  };
  const path = join(dir, kept.file);
  const pending = join(dir, `.${process.pid}.tmp`);
  try {
    writeSynced(pending, Buffer.from(prettyJson(kept.record)));
    if (known === undefined) linkSync(pending, path);
    else renameSync(pending, path);
    syncDir(dir);
    return kept;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new SeatrialError('usage', `${path} already exists; move it away, then admit again`, error);
  } finally {
    rmSync(pending, { force: true });
  }
}

/** An updated source keeps its earlier pins. */
function successorOf(old: AdmissionRecord, record: AdmissionRecord): AdmissionRecord {
  if (old.kind !== 'source' || record.kind !== 'source') return record;
  const { commit, tag } = old;
  const moved = commit !== record.commit || tag !== record.tag;
  const left = moved ? [{ commit, tag, replaced_at: record.admitted_at }] : [];
  const ids = new Map([...old.other_ids, ...record.other_ids].map((other) => [other.id, other]));
  return { ...record, other_ids: [...ids.values()], previous_ids: [...old.previous_ids, ...left] };
}

/** Descriptive file names for people; readers go by the content. */
function fileNameOf(record: AdmissionRecord): string {
  const named = (what: string, subject: string): string =>
    `CTO-${safe(record.engine).toUpperCase()}-${what}-ADMISSION.${safe(subject)}.json`;
  switch (record.kind) {
    case 'source':
      return named('SOURCE', record.id);
    case 'executable':
      return named('EXECUTABLE', record.sha256.slice(0, 16));
    case 'model':
      return named('MODEL-PROVIDER', `${record.provider}-${record.model}`);
    case 'task':
      return named('TASK', `${record.task}-${record.sha256.slice(0, 16)}`);
  }
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9._-]/g, '_');
