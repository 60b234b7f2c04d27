import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Reason } from '../../../../evidence/reasons/reason.ts';
import { ZERO_DIGEST } from '../../../../kernel/digest.ts';
import type { Judging } from '../../../../task/contract.ts';
import { type BenchRequest, TestBench } from '../../base/bench.ts';
import { keepScripts } from '../../command/base-files.ts';
import { obtainRecord, resultOfRecord } from '../../base/obtain-record.ts';
import { openProductStore } from '../../base/product-store.ts';
import { baseTreeOf } from '../../../trees/derive.ts';
import type { JudgeResult } from '../../types.ts';
import type { DependencyInstall } from '../dependencies/prepare.ts';
import { demandOfSealedTests, withSealedTests } from '../sealed-tests.ts';
import { type ChangeVerdict, judgeRepositoryChange } from '../verdict.ts';

/** Two trees to be judged against each other, outside of a run: for `judge --base` and `verify --rerun`. */
export interface TreesRequest extends Omit<BenchRequest, 'scriptsIn' | 'baseTree' | 'sealedTests'> {
  /** Tests that the author of the patch never saw, in the layout of the repository. */
  readonly sealedTests: string | null;
  readonly baseDir: string;
  /** The base with the whole patch, without what a setup made. */
  readonly patchedDir: string;
  readonly judging: Judging;
  /** Files that a person let decide in the version of the patch. */
  readonly approved?: ReadonlySet<string>;
  readonly require: 'fixed_if_failing' | 'kept';
  /** A landing: its sealed tests may all pass on the base. */
  readonly sealedMayPass?: boolean;
  /** Of an earlier judging, to alter the same tests in the same way; null: a fresh one. */
  readonly seed: string | null;
  readonly install: DependencyInstall['install'];
  /** Where the record of this base is kept between judgements; absent: it is taken anew. */
  readonly kept?: { readonly cacheDir: string | null; readonly key: string };
}

export interface JudgedTrees {
  /** How the tests stood before; its faults say why nothing could be judged. */
  readonly base: JudgeResult;
  /** The deciding run with the verdict on the change; null: the base could not be recorded, or the change was refused. */
  readonly patched: JudgeResult | null;
  readonly change: ChangeVerdict | null;
  readonly reasons: readonly Reason[];
  readonly verdict: 'pass' | 'fail' | 'blocked';
}

const UNKEPT = { cacheDir: null, key: ZERO_DIGEST };

export async function judgeTrees(request: TreesRequest): Promise<JudgedTrees> {
  const { judging, require, seed, sealedTests, sealedMayPass = false, approved, install, kept, ...rest } = request;
  const { baseDir: ownBaseDir, patchedDir: ownPatchedDir, ...unsealed } = rest;
  const bench = { ...unsealed, sealedTests: null };
  mkdirSync(bench.scratch, { recursive: true });
  const sealed = async (tree: string, name: string): Promise<string> =>
    sealedTests === null ? tree : withSealedTests(bench.confinement, tree, sealedTests, join(bench.scratch, name));
  const baseDir = await sealed(ownBaseDir, 'sealed-base');
  const patchedDir = await sealed(ownPatchedDir, 'sealed-patched');
  const { cachedBase } = bench;
  const baseTree = cachedBase === undefined ? null : baseTreeOf(bench.confinement, baseDir, cachedBase);
  const scriptsIn = keepScripts(baseDir, join(bench.scratch, '..', 'scripts'), baseTree);
  const testBench = new TestBench({ ...bench, scriptsIn, baseTree: baseDir });
  const taken = await obtainRecord(testBench, baseDir, bench.testCommand, kept ?? UNKEPT);
  if (!taken.taken)
    return { base: taken.result, patched: null, change: null, reasons: taken.reasons, verdict: 'blocked' };
  const base = resultOfRecord(taken.record);
  const demand =
    sealedTests === null
      ? { mustFix: [] }
      : await demandOfSealedTests(testBench, taken.record, sealedTests, ownBaseDir, sealedMayPass);
  if ('reason' in demand) return { base, patched: null, change: null, reasons: [demand.reason], verdict: 'blocked' };
  const change = await judgeRepositoryChange({
    bench: testBench,
    install,
    record: taken.record,
    baseDir,
    ...(baseTree === null ? {} : { baseTree }),
    productStore: kept === undefined ? null : openProductStore(kept.cacheDir, kept.key),
    patchedDir,
    scratch: bench.scratch,
    options: {
      allowDeciding: judging.allow_deciding,
      ...(approved === undefined ? {} : { approved }),
      protectedFiles: [],
      ignored: new Set(),
      mustFix: [...judging.must_fix, ...demand.mustFix],
      knownFailing: judging.known_failing,
      acceptExitCode: judging.accept === 'exit_code',
      require,
    },
    seed: seed ?? randomBytes(16).toString('hex'),
  });
  const deciding = change.result?.deciding ?? null;
  const unheard = new Set([
    ...(change.result?.flaky ?? []),
    ...(change.result?.removed ?? []),
    ...judging.known_failing,
  ]);
  const heard = (result: JudgeResult): JudgeResult => ({
    ...result,
    seen: result.seen.filter(({ id }) => !unheard.has(id)),
  });
  const patched =
    deciding === null
      ? null
      : {
          ...heard(deciding),
          passed: change.verdict === 'pass',
          verdict: change.verdict,
          faults: change.faults,
          isolation: change.mustFail?.isolation ?? deciding.isolation,
        };
  return { base: heard(base), patched, change, reasons: change.faults, verdict: change.verdict };
}
