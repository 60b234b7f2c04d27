import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { digestFile } from '../evidence/storage/file-tree.ts';
import type { CheckResult } from '../evidence/schema/check-report.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { playRows } from '../run/selftest/play.ts';
import { type RowResult, selectRows } from '../run/selftest/row.ts';
import { buildDigest, keepCheckReport } from '../stages/check-report.ts';
import type { CheckSuite } from '../stages/self-check/play.ts';
import { ADAPTER_SUITE, STAGE2_SUITE } from '../stages/suite-names.ts';
import { packageRoot } from '../kernel/package-root.ts';
import { inOrder } from './print/matrix-lines.ts';
import { openPlayground } from './environment/playground.ts';

interface SuiteEntry {
  readonly summary: string;
  readonly load: () => Promise<CheckSuite>;
}

/** Every suite, loaded when it is called. */
export const CHECK_SUITES: Readonly<Record<string, SuiteEntry>> = {
  [ADAPTER_SUITE]: {
    summary: 'stage 1: Case runs only when all is in place, and every failure has its own reason',
    load: async () => (await import('../stages/self-check/adapter.ts')).CASE_PROVIDER_ADAPTER,
  },
  [STAGE2_SUITE]: {
    summary: 'stage 2: the artificial fixture through the whole of the evidence interface',
    load: async () => (await import('../stages/self-check/stage2.ts')).CASE_STAGE2,
  },
};

export interface SuiteFlags {
  readonly bin?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly jobs: number;
  readonly runs?: string | undefined;
}

export interface SuiteResult {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
  /** The folder with the bundles. */
  readonly where: string;
}

/** Plays a suite and keeps its report, by which a stage can be earned; a part of a suite is no report of it. */
export async function runSuite(
  suite: CheckSuite,
  flags: SuiteFlags,
  print: (text: string) => void,
): Promise<SuiteResult> {
  const { suiteRows } = await import('../stages/self-check/play.ts');
  const path = programFor(flags.bin);
  const program = { path, ...digestFile(path) };
  const rows = selectRows(suiteRows(suite, program), flags.only);
  const { order, runsDir } = openPlayground(`check-${suite.name}`, flags.runs);
  const results = await playRows(rows, order, flags.jobs, inOrder(rows, print));
  const checks = results.map(checkOfRow);
  const ok = checks.length === rows.length && checks.every((check) => check.ok);
  if (flags.only === undefined)
    keepCheckReport(
      runsDir,
      {
        suite: suite.name,
        ok,
        checks,
        at: order.site.clock.now().toISOString(),
        build_sha256: buildDigest(),
        executable_sha256: program.sha256,
      },
      order.site.key,
    );
  return { ok, checks, where: runsDir };
}

export function checkOfRow({ name, ok, seen, expected, run }: RowResult): CheckResult {
  const said = `${seen.status}${seen.reason === null ? '' : `: ${seen.reason}`}`;
  const wanted = `${expected.status}${expected.reason === null ? '' : `: ${expected.reason}`}`;
  return { name, ok, detail: ok ? said : `${said}; expected ${wanted} with ${expected.says ?? expected.event}`, run };
}

function programFor(named: string | undefined): string {
  const given = named ?? process.env['CTO_HARNESS_CASE_BIN'];
  const path = given === undefined || given === '' ? join(packageRoot(), 'dist', 'ca') : resolve(given);
  if (!existsSync(path)) throw new SeatrialError('usage', `there is no program ${path}; give --bin, or build Seatrial`);
  return path;
}
