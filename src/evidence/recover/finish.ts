import { closeSync, existsSync, ftruncateSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { systemCode } from '../../kernel/errors.ts';
import { absentArtifacts, artifactsIn, digestsIn } from '../bundle/artifacts.ts';
import { type Bundle, CONTROL_DIR, REPORT_FILE, writeArtifact } from '../bundle/create.ts';
import { reportingWrite, writeSynced } from '../storage/durable.ts';
import { decodeEvents, EVENTS_FILE, EventLog } from '../log/events.ts';
import { digestFile } from '../storage/file-tree.ts';
import { INTERRUPTED } from '../report/initial.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { openNoFollow } from '../no-follow.ts';
import { PENDING_REPORT_FILE } from '../bundle/manifest.ts';
import { recoveredReport } from './report.ts';
import { addedByContract, CONTRACT_FILE, missingEvents } from '../log/required-events.ts';
import { readRun } from '../bundle/runs.ts';
import { sealBundle } from '../bundle/seal.ts';
import type { RunEvent } from '../schema/events.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';

export interface FinishOptions {
  readonly key: HarnessKey;
  readonly clock: Clock;
  readonly describe?: (bundle: Bundle, report: Report, events: readonly RunEvent[]) => void;
}

/** Seals an interrupted bundle, its control first, as blocked. Returns how many of its own events it had. */
export async function finishInterrupted(dir: string, runsDir: string, options: FinishOptions): Promise<number> {
  const control = join(dir, CONTROL_DIR);
  if (existsSync(join(control, REPORT_FILE)) && readRun(control).state !== 'sealed') {
    await finishOne(control, runsDir, 'control', options);
  }
  return finishOne(dir, runsDir, 'run', options);
}

async function finishOne(dir: string, runsDir: string, kind: Bundle['kind'], options: FinishOptions): Promise<number> {
  const { key, clock, describe } = options;
  const born = reportSchema.parse(JSON.parse(readFileSync(join(dir, REPORT_FILE), 'utf8')));
  const bundle = reopen(dir, runsDir, kind, born, clock);
  keepUncommitted(dir);
  const recorded = keepWholeEvents(dir);
  const log = new EventLog(join(dir, EVENTS_FILE), { clock, startedMono: bundle.startedMono, previous: recorded });
  try {
    complete(log, bundle);
  } finally {
    log.close();
  }
  for (const { name, content } of absentArtifacts(bundle)) writeArtifact(bundle, name, content);
  const lastSeenAt = recorded.at(-1)?.time ?? born.run_started_at;
  const report = recoveredReport({
    born,
    events: log.events,
    lastSeenAt,
    patch: patchFacts(dir),
    artifacts: artifactsIn(dir),
    digests: digestsIn(dir),
  });
  describe?.(bundle, report, log.events);
  await sealBundle({ bundle, report, key, clock });
  return recorded.length;
}

function reopen(dir: string, runsDir: string, kind: Bundle['kind'], born: Report, clock: Clock): Bundle {
  const elapsed = clock.now().getTime() - Date.parse(born.run_started_at);
  return {
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
}

/** A verdict that was written but never committed does not count, but it is kept to be looked at. */
function keepUncommitted(dir: string): void {
  const pending = join(dir, PENDING_REPORT_FILE);
  if (existsSync(pending)) renameSync(pending, freeName(join(dir, 'report.uncommitted.json')));
}

/** Cuts off what a crash left half written, keeping it beside. */
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
  const last = log.events.at(-1);
  if (last?.type === 'run.completed' && last.data.failure_reason === INTERRUPTED) return;
  if (last === undefined) {
    const { runId, nonce, engine, startedAt } = bundle;
    log.append('run.started', 'harness', { run_id: runId, nonce, engine, started_at: startedAt });
  }
  const seen = [...log.events.map(({ type }) => type), 'run.completed'];
  const missing = [...missingEvents(seen, addedByContract(readIfThere(join(bundle.dir, CONTRACT_FILE))))];
  log.append('run.completed', 'harness', { status: 'blocked', failure_reason: INTERRUPTED, missing_events: missing });
}

function patchFacts(dir: string): Report['patch'] {
  const path = 'patch.diff';
  return { path, ...digestFile(join(dir, path)) };
}

function freeName(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? path : `${path}-${n}`;
    if (!existsSync(name)) return name;
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
