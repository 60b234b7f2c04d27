import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { REPORT_FILE } from '../../evidence/bundle/bundle.ts';
import { readRun } from '../../evidence/bundle/runs.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import { exchange, type Exchange } from '../../evidence/schema/exchange.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Contract } from '../../task/contract.ts';
import { readTask, type Task } from '../../task/task-directory.ts';
import { layReviewed } from '../review/lay-reviewed.ts';
import type { BaseCache } from '../trees/base-cache.ts';
import { inputsOfBundle } from '../trees/cached-inputs.ts';
import { findArchives, readContract } from '../trees/inputs.ts';
import { contractDigest, contractOf, taskDigest } from '../../task/contract-of.ts';
import { EXCHANGES_FILE } from './exchange-log.ts';
import type { ReplayedRun, RunRequest } from '../request.ts';

/** A recorded run, to be repeated with a real engine and no model. */
export interface Replayed extends Pick<RunRequest, 'terms' | 'inputs' | 'solutionDir' | 'taskDir' | 'previousWork'> {
  readonly engine: string;
  readonly replay: ReplayedRun;
}

/**
 * Reads a recorded run and unpacks its files below `scratch`. Bundles do not contain the oracle: it is taken from the first of
 * `taskDirs` that asks for exactly the same.
 */
export async function readReplayed(
  bundleDir: string,
  scratch: string,
  taskDirs: (task: string) => readonly string[],
  cache: BaseCache | null = null,
): Promise<Replayed> {
  const { report, runId, fault } = readRun(bundleDir);
  if (report === null) throw new SeatrialError('usage', fault ?? `${runId} cannot be read`);
  const exchanges = readExchanges(bundleDir).filter(({ purpose }) => purpose === 'engine');
  if (exchanges.length === 0)
    throw new SeatrialError(
      'usage',
      `${runId} made no model requests, so there is nothing to replay; choose a run that did`,
    );
  const contract = readContract(bundleDir);
  const { base: _base, sealed_tests: _tests, reviewed, ...terms } = contract;
  const task = contract.has_oracle ? taskAsking(contract, taskDirs(contract.task)) : null;
  if (contract.has_oracle && task === null)
    throw new SeatrialError(
      'usage',
      `the task of ${runId} has a known solution, which the control needs and no bundle contains; give its unchanged task directory: \`seatrial run <task> --replay ${runId}\``,
    );
  // A run that saw no history has the one commit that the cache keeps.
  const kept = contract.repository?.history === undefined && reviewed === undefined ? cache : null;
  const inputs = await inputsOfBundle(findArchives(bundleDir, contract), scratch, kept);
  if (reviewed !== undefined) await layReviewed(bundleDir, reviewed, inputs.filesDir, scratch);
  const previousWork = previousWorkOf(bundleDir, contract);
  return {
    ...(previousWork === null ? {} : { previousWork }),
    engine: report.backend,
    replay: { startedAt: report.run_started_at, exchanges },
    terms,
    inputs,
    solutionDir: task?.solutionDir ?? null,
    taskDir: task?.dir ?? null,
  };
}

/** The bundle of the attempt whose work the recorded one continued; null: it started from the base. */
function previousWorkOf(bundleDir: string, { attempt }: Contract): string | null {
  const previous = attempt?.earlier.at(-1);
  if (previous === undefined || attempt?.starts_from !== 'previous_work') return null;
  const dir = join(dirname(resolve(bundleDir)), basename(previous.run_id));
  const report = join(dir, REPORT_FILE);
  if (existsSync(report) && sha256(readFileSync(report)) === previous.report_sha256) return dir;
  throw new SeatrialError(
    'usage',
    `the recorded attempt continued the work of ${previous.run_id}, whose bundle is not beside it; put it into ${dirname(dir)}`,
  );
}

/** The task directory whose contract is the recorded one; null if none is. */
function taskAsking(contract: Contract, dirs: readonly string[]): Task | null {
  const wanted = taskDigest({ ...contract, schema_version: 2 });
  for (const dir of dirs) {
    const task = taskIn(dir);
    if (task !== null && contractDigest(contractOf(task)) === wanted) return task;
  }
  return null;
}

function taskIn(dir: string): Task | null {
  try {
    return readTask(dir);
  } catch (error) {
    if (error instanceof SeatrialError) return null;
    throw error;
  }
}

function readExchanges(bundleDir: string): Exchange[] {
  const path = join(bundleDir, EXCHANGES_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, at) => {
      const parsed = parseBytes(line, exchange);
      if (!parsed.ok)
        throw new SeatrialError(
          'usage',
          `the bundle is damaged: ${path} line ${at + 1} cannot be read (${parsed.fault})`,
        );
      return parsed.value;
    });
}
