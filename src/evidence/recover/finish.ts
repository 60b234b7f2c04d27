import { closeSync, existsSync, ftruncateSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { systemCode } from '../../kernel/errors.ts';
import { absentArtifacts, fileFactsIn } from '../bundle/artifacts.ts';
import { writeArtifact } from '../bundle/create.ts';
import { type Bundle, CONTROL_DIR, REPORT_FILE } from '../bundle/bundle.ts';
import { freeName } from '../storage/free-name.ts';
import { writeSynced } from '../storage/durable.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { decodeEvents, EVENTS_FILE, EventLog } from '../log/events.ts';
import { digestFile } from '../storage/file-tree.ts';
import { reason } from '../reasons/catalogue.ts';
import { CUT_OFF } from '../report/initial.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { readLiveEntry, type RunOwner } from '../bundle/running.ts';
import { PENDING_REPORT_FILE } from '../bundle/manifest.ts';
import { readContractFacts } from '../report/contract-facts.ts';
import { type EngineFields, reduceReport } from '../report/reduce.ts';
import { addedByContract, CONTRACT_FILE, missingEvents } from '../log/required-events.ts';
import { readRun } from '../bundle/runs.ts';
import { sealBundle } from '../bundle/seal.ts';
import type { EventData, RunEvent } from '../schema/events.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';

export interface FinishOptions {
  readonly key: HarnessKey;
  readonly clock: Clock;
  readonly describe?: (bundle: Bundle, report: Report, events: readonly RunEvent[]) => void;
  readonly examine?: ExamineTree;
  readonly engineFields?: (engine: string) => EngineFields | undefined;
}

/**
 * Examines the tree left by the engine of a dead run and stores its changes in the bundle. Must not reject, and must
 * change nothing but `patch.diff` and `blobs/`. `owner` is null if the run's process is unknown.
 */
export type ExamineTree = (bundle: Bundle, owner: RunOwner | null) => Promise<LeftTree>;

export type LeftTree =
  | { readonly kind: 'examined'; readonly checked: EventData<'git.diff.checked'> }
  | { readonly kind: 'not examined'; readonly why: string }
  /** The tree still exists and a later attempt could examine it. */
  | { readonly kind: 'postponed'; readonly why: string };

export type Finished =
  | { readonly kind: 'sealed'; readonly events: number; readonly report: Report }
  | { readonly kind: 'postponed'; readonly why: string };

/** Seals an interrupted bundle as blocked, its control first. */
export async function finishInterrupted(dir: string, runsDir: string, options: FinishOptions): Promise<Finished> {
  const left = await treeLeftIn(dir, runsDir, options);
  if (left?.kind === 'postponed') return left;
  const control = join(dir, CONTROL_DIR);
  if (existsSync(join(control, REPORT_FILE)) && readRun(control).state !== 'sealed') {
    await finishOne(openInterrupted(control, runsDir, 'control', options.clock), null, options);
  }
  return finishOne(openInterrupted(dir, runsDir, 'run', options.clock), left, options);
}

/** Null: the engine was not started, or the run had already examined its tree. */
async function treeLeftIn(dir: string, runsDir: string, { examine, clock }: FinishOptions): Promise<LeftTree | null> {
  const seen = new Set(decodeEvents(readIfThere(join(dir, EVENTS_FILE))).entries.map(({ type }) => type));
  if (!seen.has('backend.started') || seen.has('git.diff.checked') || examine === undefined) return null;
  const { bundle } = openInterrupted(dir, runsDir, 'run', clock);
  return examine(bundle, readLiveEntry(runsDir, bundle.runId));
}

interface Interrupted {
  readonly bundle: Bundle;
  /** The report written when the run was created. */
  readonly born: Report;
}

async function finishOne(
  { bundle, born }: Interrupted,
  left: Exclude<LeftTree, { kind: 'postponed' }> | null,
  { key, clock, describe, engineFields }: FinishOptions,
): Promise<Finished> {
  const { dir } = bundle;
  keepUncommitted(dir);
  const recorded = keepWholeEvents(dir);
  const log = new EventLog(join(dir, EVENTS_FILE), { clock, startedMono: bundle.startedMono, previous: recorded });
  try {
    if (left?.kind === 'examined') appendChanges(log, left.checked);
    complete(log, bundle);
  } finally {
    log.close();
  }
  if (!log.events.some(({ type }) => type === 'git.diff.checked')) setPatchAside(dir);
  for (const { name, content } of absentArtifacts(bundle)) writeArtifact(bundle, name, content);
  const lastSeenAt = recorded.at(-1)?.time ?? born.run_started_at;
  const report: Report = {
    ...reduceReport({
      born,
      events: log.events,
      contract: readContractFacts(readIfThere(join(dir, CONTRACT_FILE))),
      engineFields: engineFields?.(born.backend),
      notExamined: left?.kind === 'not examined' ? left.why : CUT_OFF,
    }),
    run_ended_at: lastSeenAt,
    duration_ms: Math.max(0, Date.parse(lastSeenAt) - Date.parse(born.run_started_at)),
    patch: patchFacts(dir),
    ...fileFactsIn(dir),
  };
  describe?.(bundle, report, log.events);
  await sealBundle({ bundle, report, key, clock });
  return { kind: 'sealed', events: recorded.length, report };
}

function appendChanges(log: EventLog, checked: EventData<'git.diff.checked'>): void {
  if (checked.changed_files.length > 0) log.append('patch.applied', 'harness', { files: checked.changed_files });
  log.append('git.diff.checked', 'harness', checked);
}

function openInterrupted(dir: string, runsDir: string, kind: Bundle['kind'], clock: Clock): Interrupted {
  const born = reportSchema.parse(JSON.parse(readFileSync(join(dir, REPORT_FILE), 'utf8')));
  const elapsed = clock.now().getTime() - Date.parse(born.run_started_at);
  const bundle: Bundle = {
    kind,
    dir,
    runsDir,
    runId: born.run_id,
    task: born.task,
    engine: born.backend,
    nonce: born.freshness.nonce,
    startedAt: born.run_started_at,
    startedMono: clock.mono() - Math.max(0, elapsed),
    ledgerHeadAtStart: born.freshness.ledger_head_at_start,
  };
  return { bundle, born };
}

/** A verdict that was written but not committed does not count; it is kept for inspection. */
function keepUncommitted(dir: string): void {
  const pending = join(dir, PENDING_REPORT_FILE);
  if (existsSync(pending)) renameSync(pending, freeName(join(dir, 'report.uncommitted.json')));
}

/** Moves aside a patch that was being written when the run died and that no event describes. */
function setPatchAside(dir: string): void {
  for (const name of ['patch.diff', 'blobs']) {
    const path = join(dir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.isDirectory() || stats.size > 0))
      renameSync(path, freeName(join(dir, `unfinished.${name}`)));
  }
}

/** Truncates a half-written line and keeps it in a separate file. */
function keepWholeEvents(dir: string): readonly RunEvent[] {
  const path = join(dir, EVENTS_FILE);
  const bytes = readIfThere(path);
  const { entries, fault, goodBytes } = decodeEvents(bytes);
  if (fault !== null) {
    reportingWrite(path, () => {
      writeSynced(freeName(join(dir, 'events.torn')), bytes.subarray(goodBytes), 'wx');
      cutOff(path, goodBytes);
    });
  }
  return entries;
}

function cutOff(path: string, bytes: number): void {
  const fd = openNoFollow(path, 'r+');
  try {
    ftruncateSync(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

function complete(log: EventLog, bundle: Bundle): void {
  const { code, text, status, cause } = reason('run_interrupted');
  const last = log.events.at(-1);
  // Recovery itself was interrupted after its last event.
  const isRaised = log.events.some((event) => event.type === 'blocker.raised' && event.data.code === code);
  if (last?.type === 'run.completed' && isRaised) return;
  if (last === undefined) {
    const { runId, nonce, engine, startedAt } = bundle;
    log.append('run.started', 'harness', { run_id: runId, nonce, engine, started_at: startedAt });
  }
  if (!isRaised)
    log.append('blocker.raised', 'harness', {
      step: 'seal',
      code,
      reason: text,
      kind: status,
      ...(cause === undefined ? {} : { cause }),
    });
  const seen = [...log.events.map(({ type }) => type), 'run.completed'];
  const missing = [...missingEvents(seen, addedByContract(readIfThere(join(bundle.dir, CONTRACT_FILE))))];
  log.append('run.completed', 'harness', { status: 'blocked', failure_reason: text, missing_events: missing });
}

function patchFacts(dir: string): Report['patch'] {
  const path = 'patch.diff';
  return { path, ...digestFile(join(dir, path)) };
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
