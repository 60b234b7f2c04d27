import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EngineDefinition } from '../engines/definition.ts';
import { ENGINES } from '../engines/list.ts';
import type { CheckSuite, SelfTestEntry } from '../engines/self-test.ts';
import { digestFile } from '../evidence/storage/file-tree.ts';
import type { CheckResult } from '../evidence/schema/check-report.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { playRows } from '../run/selftest/play.ts';
import { type RowResult, selectRows } from '../run/selftest/row.ts';
import { buildDigest, keepCheckReport } from '../stages/check-report.ts';
import { packageRoot } from '../kernel/package-root.ts';
import { inOrder } from './print/matrix-lines.ts';
import { openPlayground } from './environment/playground.ts';

interface EngineSuite {
  readonly engine: EngineDefinition;
  readonly selfTest: SelfTestEntry;
  readonly suite: CheckSuite;
}

/** Every suite of every engine, by its name. */
export const CHECK_SUITES: ReadonlyMap<string, EngineSuite> = new Map(
  ENGINES.flatMap((engine) => {
    const { selfTest } = engine;
    return selfTest === null ? [] : selfTest.suites.map((suite) => [suite.name, { engine, selfTest, suite }] as const);
  }),
);

export interface SuiteFlags {
  readonly bin?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly jobs: number;
  readonly runs?: string | undefined;
}

export interface SuiteResult {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
  /** Directory of the bundles. */
  readonly where: string;
  readonly program: { readonly path: string; readonly sha256: string; readonly is_simulator: boolean };
  /** What the result is evidence for, in words. */
  readonly earned: string;
  /** Targets of the settings, beside the one that each check plants. */
  readonly targets: readonly string[];
}

/** Plays a suite and keeps its signed report, which can earn a stage; a part of a suite gets no report. */
export async function runSuite(
  { engine, selfTest, suite }: EngineSuite,
  flags: SuiteFlags,
  print: (text: string) => void,
): Promise<SuiteResult> {
  const [{ suiteRows }, loaded] = await Promise.all([import('../stages/play-suite.ts'), selfTest.load()]);
  const path = programFor(engine, selfTest, flags.bin);
  const program = { path, ...digestFile(path) };
  const checked = { engine: engine.headless.configure({}), selfTest: loaded, program };
  const rows = selectRows(suiteRows(suite, checked), flags.only);
  const { request, runsDir } = openPlayground(`check-${suite.name}`, flags.runs);
  const results = await playRows(rows, request, flags.jobs, inOrder(rows, print));
  const checks = results.map(checkOfRow);
  const ok = checks.length === rows.length && checks.every((check) => check.ok);
  if (flags.only === undefined)
    keepCheckReport(
      runsDir,
      {
        suite: suite.name,
        ok,
        checks,
        at: request.environment.clock.now().toISOString(),
        build_sha256: buildDigest(),
        executable_sha256: program.sha256,
      },
      request.environment.key,
    );
  const isSimulator = path === simulatorPath(selfTest);
  return {
    ok,
    checks,
    where: runsDir,
    program: { path, sha256: program.sha256, is_simulator: isSimulator },
    earned: earnedText(suite, { ok, complete: flags.only === undefined, isSimulator }),
    targets: request.environment.targetPaths,
  };
}

function earnedText(
  { stage }: CheckSuite,
  { ok, complete, isSimulator }: { readonly ok: boolean; readonly complete: boolean; readonly isSimulator: boolean },
): string {
  if (!ok) return 'nothing: not all checks passed';
  if (!complete) return 'nothing: only a part of the suite ran';
  if (stage === null)
    return isSimulator
      ? 'the bridge for the simulator, not for a program of yours; give it with --bin'
      : 'the bridge for this program, with this build of Seatrial, in this runs directory';
  if (stage > 1) return `nothing by itself: stage ${stage} is earned by real runs`;
  return isSimulator
    ? `stage ${stage} for the simulator, not for a program of yours; give it with --bin`
    : `stage ${stage} for this program, with this build of Seatrial, in this runs directory`;
}

export function checkOfRow({ name, ok, seen, expected, run }: RowResult): CheckResult {
  const said = `${seen.status}${seen.reason === null ? '' : `: ${seen.reason}`}`;
  const wanted = `${expected.status}${expected.reason === null ? '' : `: ${expected.reason}`}`;
  return { name, ok, detail: ok ? said : `${said}; expected ${wanted} with ${expected.says ?? expected.event}`, run };
}

const simulatorPath = ({ simulator }: Pick<SelfTestEntry, 'simulator'>): string =>
  join(packageRoot(), 'dist', simulator);

function programFor({ policy }: EngineDefinition, { simulator }: SelfTestEntry, named: string | undefined): string {
  const given = named ?? (policy.executable?.from === 'variable' ? process.env[policy.executable.variable] : undefined);
  const path = given === undefined || given === '' ? simulatorPath({ simulator }) : resolve(given);
  if (!existsSync(path)) throw new SeatrialError('usage', `there is no program ${path}; give --bin, or build Seatrial`);
  return path;
}
