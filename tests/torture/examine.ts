import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listRuns, type RunRecord } from '../../src/evidence/bundle/runs.ts';
import { type CallOptions, type Place, readReport } from '../support/seatrial.ts';
import { isSame, processesAt, allProcesses, type Seen } from './processes.ts';
import { lostBetween, snapshotOf } from './snapshot.ts';
import { ANSWER } from './workloads.ts';

/** What a strike left, told one sentence each. All lists but the counts must be empty. */
export interface Findings {
  readonly blocked: number;
  readonly sealed: number;
  readonly lost: readonly string[];
  readonly orphans: readonly string[];
  readonly falsePasses: readonly string[];
  readonly faults: readonly string[];
}

/** Where a struck harness worked. */
export interface Scene {
  readonly place: Place;
  readonly options: CallOptions;
  readonly tmp: string;
  /** Runs that were there before the strike. */
  readonly earlier: ReadonlySet<string>;
}

/** Looks at everything that a person could rely on after a crash, recovers, and looks again. */
export async function examine(scene: Scene, watched: readonly Seen[], recoveries: number): Promise<Findings> {
  const { place, earlier } = scene;
  const faults: string[] = [];
  const orphans = await orphansOf(scene, watched);
  const runs = listRuns(place.runs);
  const sealed = new Set(runs.filter(({ state }) => state === 'sealed').map(({ runId }) => runId));
  const falsePasses = await falsePassesAmong(scene, runs);
  const before = snapshotOf(place.runs);
  faults.push(...reportFaults(scene));

  const calls = Array.from({ length: recoveries }, () => place.seatrial(['runs', 'recover'], scene.options));
  for (const { code, stdout, stderr } of await Promise.all(calls))
    if (code !== 0) faults.push(`runs recover ended with ${code}: ${stdout}${stderr}`);
  const lost = lostBetween(before, snapshotOf(place.runs), sealed);
  for (const { runId, state, report } of listRuns(place.runs)) {
    if (state !== 'sealed') faults.push(`${runId} is ${state} after recovery`);
    if (report?.status === 'pass' && !sealed.has(runId)) falsePasses.push(`${runId} became a pass by recovery`);
  }
  faults.push(...leftovers(scene));
  faults.push(...(await soundness(scene)));
  const struck = runs.filter(({ runId }) => !earlier.has(runId));
  const proven = struck.filter(({ runId }) => sealed.has(runId)).length;
  return { blocked: struck.length - proven, sealed: proven, lost, orphans, falsePasses, faults };
}

const PATIENCE_MS = 20_000;

/** A killed tree takes a moment to go; what is still there after it, or waits to be collected by nobody, is an orphan. */
async function orphansOf({ place }: Scene, watched: readonly Seen[]): Promise<string[]> {
  for (const deadline = performance.now() + PATIENCE_MS; ;) {
    const now = allProcesses();
    const left = [...processesAt(place.root), ...now.filter((one) => watched.some((other) => isSame(one, other)))];
    if (left.length === 0) return [];
    if (performance.now() > deadline) return left.map(({ pid, name }) => `${name} (${pid}) is still there`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** For the moment before anything is mended. */
export function falsePassesNow(scene: Scene): Promise<string[]> {
  return falsePassesAmong(scene, listRuns(scene.place.runs));
}

/** A report that says pass must verify, at any moment. */
async function falsePassesAmong({ place, options }: Scene, runs: readonly RunRecord[]): Promise<string[]> {
  const found: string[] = [];
  for (const { runId, dir, state } of runs) {
    if (state === 'damaged' || readReport(dir).status !== 'pass') continue;
    const { code, stdout } = await place.seatrial(['verify', dir], options);
    if (code !== 0) found.push(`${runId} says pass and does not verify: ${stdout.trim().split('\n').at(-1) ?? ''}`);
  }
  return found;
}

function reportFaults({ place }: Scene): string[] {
  return place.runDirs().flatMap((run) => {
    if (!existsSync(join(place.runs, run, 'report.json'))) return [`${run} has no report.json`];
    const { status, freshness } = readReport(join(place.runs, run));
    return status === 'blocked' || freshness.sealed_at !== null ? [] : [`${run} says ${status} without a seal`];
  });
}

function leftovers({ place, tmp }: Scene): string[] {
  const live = existsSync(join(place.runs, '.live')) ? readdirSync(join(place.runs, '.live')) : [];
  return [
    ...live.map((name) => `.live/${name} is left after recovery`),
    ...readdirSync(tmp).map(
      (name) => `${name} is left in the directory for temporary files: ${contentOf(join(tmp, name))}`,
    ),
  ];
}

function contentOf(path: string): string {
  return statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).slice(0, 10).join(', ') : 'a file';
}

async function soundness(scene: Scene): Promise<string[]> {
  const { place, options, tmp } = scene;
  const faults: string[] = [];
  const next = await place.seatrial(['run', ...ANSWER.args], options);
  if (next.code !== 0) faults.push(`the next run ended with ${next.code}: ${next.stdout}${next.stderr}`);
  const { code, stdout, stderr } = await place.seatrial(['verify', '--all'], options);
  if (code !== 0) faults.push(`verify --all ended with ${code}: ${stdout}${stderr}`);
  const left = readdirSync(tmp);
  if (left.length > 0) faults.push(`the next run left ${left.join(', ')}`);
  return faults;
}
