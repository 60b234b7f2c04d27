import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '../../evidence/bundle/runs.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import { exchange, type Exchange } from '../../evidence/schema/exchange.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { findArchives, readContract } from '../trees/inputs.ts';
import { EXCHANGES_FILE } from './exchange-log.ts';
import type { ReplayedRun, RunRequest } from '../request.ts';

/** A recorded run, to be repeated with a real engine and no model. */
export interface Replayed extends Pick<RunRequest, 'terms' | 'inputs'> {
  readonly engine: string;
  readonly replay: ReplayedRun;
}

/** Reads a recorded run and unpacks its files below `scratch`. Bundles do not contain the oracle, so it cannot run again. */
export function readReplayed(bundleDir: string, scratch: string): Replayed {
  const { report, runId, fault } = readRun(bundleDir);
  if (report === null) throw new SeatrialError('usage', fault ?? `${runId} cannot be read`);
  const exchanges = readExchanges(bundleDir).filter(({ purpose }) => purpose === 'engine');
  if (exchanges.length === 0)
    throw new SeatrialError(
      'usage',
      `${runId} made no model requests, so there is nothing to replay; choose a run that did`,
    );
  const { base: _base, sealed_tests: _tests, ...terms } = readContract(bundleDir);
  const archives = findArchives(bundleDir, readContract(bundleDir));
  const filesDir = join(scratch, 'files');
  const testsDir = archives.tests === null ? null : join(scratch, 'tests');
  unpackTree(archives.base.path, filesDir);
  if (archives.tests !== null && testsDir !== null) unpackTree(archives.tests.path, testsDir);
  return {
    engine: report.backend,
    replay: { startedAt: report.run_started_at, exchanges },
    terms: { ...terms, has_oracle: false },
    inputs: { filesDir, testsDir },
  };
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
