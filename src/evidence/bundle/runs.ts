import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { reason } from '../reasons/catalogue.ts';
import { REPORT_FILE } from './bundle.ts';
import { isAlive, type ProcessTable, readLiveEntry, systemProcesses } from './running.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from './manifest.ts';
import { manifest as manifestSchema } from '../schema/bundle.ts';
import { parseBytes } from '../schema/document.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';

/**
 * `running`: its process is alive. `interrupted`: its process has died before sealing. `sealed`: its report was
 * committed. `damaged`: no readable report, which a crash cannot cause.
 */
type RunState = 'running' | 'interrupted' | 'sealed' | 'damaged';

export interface RunRecord {
  /** Name of the run directory. */
  readonly runId: string;
  readonly dir: string;
  readonly state: RunState;
  /** Null only when damaged. An unsealed pass is shown as blocked. */
  readonly report: Report | null;
  readonly fault: string | null;
}

const UNSEALED_PASS = reason('not_sealed');

/** Names of the run directories, oldest first. Empty if the runs directory does not exist yet. */
export function runNames(runsDir: string): readonly string[] {
  return dirNames(runsDir).filter((name) => holdsReport(join(runsDir, name)));
}

/** Names of the newest runs, oldest first. Looks into no more directories than it must. */
export function newestRunNames(runsDir: string, count: number): readonly string[] {
  const found: string[] = [];
  for (const name of dirNames(runsDir).toReversed()) {
    if (found.length >= count) break;
    if (holdsReport(join(runsDir, name))) found.push(name);
  }
  return found.toReversed();
}

/** Directories that may hold runs, in the order of their names. */
function dirNames(runsDir: string): readonly string[] {
  try {
    const entries = readdirSync(runsDir, { withFileTypes: true });
    const dirs = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return dirs.map(({ name }) => name).toSorted();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new SeatrialError('usage', `cannot read the runs directory ${runsDir}: ${messageOf(error)}`, error);
  }
}

export function listRuns(runsDir: string, processes: ProcessTable = systemProcesses): readonly RunRecord[] {
  return [...eachRun(runsDir, processes)];
}

/** The same, one by one: of thousands of runs, not all reports are in memory at once. */
export function* eachRun(runsDir: string, processes: ProcessTable = systemProcesses): Generator<RunRecord> {
  for (const name of runNames(runsDir)) yield readRun(join(runsDir, name), processes);
}

/** Reads a run for display. Cheap, and no substitute for `verifyBundle`. */
export function readRun(dir: string, processes: ProcessTable = systemProcesses): RunRecord {
  const runId = basename(resolve(dir));
  const state = isRunning(dirname(resolve(dir)), runId, processes) ? 'running' : 'interrupted';
  try {
    const bytes = readFileSync(join(dir, REPORT_FILE));
    const parsed = parseBytes(bytes, reportSchema);
    if (!parsed.ok) return damaged(dir, runId, parsed.fault);
    const report = parsed.value;
    if (isSealed(dir, report, sha256(bytes))) return { runId, dir, state: 'sealed', report, fault: null };
    return { runId, dir, state, report: withoutPass(report), fault: null };
  } catch (error) {
    return damaged(dir, runId, messageOf(error));
  }
}

function damaged(dir: string, runId: string, why: string): RunRecord {
  const fault = `the bundle is damaged: ${join(dir, REPORT_FILE)} cannot be read (${why})`;
  return { runId, dir, state: 'damaged', report: null, fault };
}

/** Finds a run by its full id, a unique prefix of it, or the path of its directory; `last` is the one that began last. */
export function findRun(runsDir: string, wanted: string): string {
  const last = wanted === 'last' ? lastRun(resolve(runsDir)) : null;
  if (last !== null) return last;
  const alike = wanted === '' ? [] : dirNames(runsDir).filter((name) => name.startsWith(wanted));
  const matching = alike.filter((name) => holdsReport(join(runsDir, name)));
  if (matching.includes(wanted)) return join(resolve(runsDir), wanted);
  const [match, ...others] = matching;
  if (match !== undefined && others.length === 0) return join(resolve(runsDir), match);
  if (match !== undefined) {
    const shown = matching.slice(0, 5).join(', ');
    const more = matching.length > 5 ? `, and ${matching.length - 5} more` : '';
    throw new SeatrialError(
      'usage',
      `"${wanted}" matches ${matching.length} runs (${shown}${more}); give more of the id`,
    );
  }
  if (holdsReport(wanted)) return resolve(wanted);
  throw new SeatrialError(
    'usage',
    `no run "${wanted}" in ${runsDir}; \`seatrial runs\` lists them, or give a bundle's path`,
  );
}

/** Names tell the second in which a run began; within one, the report does. */
function lastRun(runsDir: string): string | null {
  const [newest] = newestRunNames(runsDir, 1);
  if (newest === undefined) return null;
  const [second = ''] = newest.split('-');
  const dirs = dirNames(runsDir)
    .filter((name) => name.split('-')[0] === second)
    .map((name) => join(runsDir, name))
    .filter(holdsReport);
  const startOf = (dir: string): string => readRun(dir).report?.run_started_at ?? '';
  return dirs.toSorted((a, b) => startOf(a).localeCompare(startOf(b))).at(-1) ?? null;
}

function holdsReport(dir: string): boolean {
  try {
    return statSync(join(dir, REPORT_FILE)).isFile();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new SeatrialError('usage', `cannot read ${dir}: ${messageOf(error)}`, error);
  }
}

/** An unreadable entry could belong to a running run, so it counts as running. */
export function isRunning(runsDir: string, runId: string, processes: ProcessTable): boolean {
  try {
    const entry = readLiveEntry(runsDir, runId);
    return entry !== null && isAlive(entry, processes);
  } catch {
    return true;
  }
}

function isSealed(dir: string, report: Report, reportSha256: string): boolean {
  if (report.freshness.sealed_at === null) return false;
  try {
    if (!statSync(join(dir, ATTESTATION_FILE)).isFile()) return false;
    const listed = manifestSchema.parse(JSON.parse(readFileSync(join(dir, MANIFEST_FILE), 'utf8')));
    return listed.files.some(({ path, sha256: digest }) => path === REPORT_FILE && digest === reportSha256);
  } catch {
    return false;
  }
}

function withoutPass(report: Report): Report {
  if (report.status !== 'pass') return report;
  const { code, text } = UNSEALED_PASS;
  return { ...report, status: 'blocked', failure_reason: text, blockers: [text], blocker_codes: [code] };
}
