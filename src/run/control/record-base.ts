import { keepScripts } from '../judge/command/base-files.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { BASE_RECORD_FILE, type BaseRecord } from '../../evidence/schema/base-record.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Contract } from '../../task/contract.ts';
import type { CommittedBase } from '../../task/git/commit-over.ts';
import type { Tree } from '../../task/tree/walk.ts';
import type { CachedBase } from '../trees/base-cache.ts';
import { baseTreeOf } from '../trees/derive.ts';
import { TestBench } from '../judge/base/bench.ts';
import { openProductStore, type ProductStore } from '../judge/base/product-store.ts';
import { obtainRecord, type ObtainedRecord } from '../judge/base/obtain-record.ts';
import { keyOfRecord } from '../judge/base/store.ts';
import { isFailing } from '../judge/change/compare.ts';
import { demandOfSealedTests, withSealedTests } from '../judge/change/sealed-tests.ts';
import { toolchainDigests } from '../toolchain.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { Copies } from '../trees/copies.ts';
import type { Run, RunSandbox } from '../steps/state.ts';

/** How the tests of a repository stood before the change, and the bench to try it on. */
export interface BaseControl {
  readonly bench: TestBench;
  readonly record: BaseRecord;
  readonly baseDir: string;
  /** What a walk of it found, if there was one. */
  readonly baseTree?: Tree;
  readonly productStore: ProductStore | null;
  readonly sealed: SealedControl | null;
}

/** Tests that the engine never sees: added to the base and the patched tree, and what they demand. */
interface SealedControl {
  readonly dir: string;
  readonly mustFix: readonly string[];
}

/** On a repository there is no oracle: its own tests, before any engine has started, are the control. */
export async function recordBase(
  run: Run,
  contract: Contract,
  sandbox: RunSandbox,
  copies: Copies,
  provisioned: Provisioned,
): Promise<BaseControl | null> {
  if (contract.judging === undefined || contract.test_command === null) return null;
  const { environment, signal } = run.request;
  const sealedDir = copies.tests();
  const ownBaseDir = await copies.base();
  const cachedBase = committedBase(run.request.inputs.cached, ownBaseDir);
  const baseDir =
    sealedDir === null
      ? ownBaseDir
      : await withSealedTests(sandbox.confinement, ownBaseDir, sealedDir, run.scratchPath('sealed-base'));
  const baseTree = cachedBase === null ? null : baseTreeOf(sandbox.confinement, baseDir, cachedBase);
  const { products, facts, programs } = provisioned;
  const bench = new TestBench({
    sealedTests: null,
    testCommand: contract.test_command,
    scriptsIn: keepScripts(baseDir, run.scratchPath('base-scripts'), baseTree),
    baseTree: baseDir,
    ...(cachedBase === null ? {} : { cachedBase }),
    isolation: 'in_process',
    timeoutMs: contract.verifier_timeout_sec * 1000,
    nonce: run.bundle.nonce,
    scratch: run.scratchPath('bench'),
    confinement: sandbox.confinement,
    mask: run.mask,
    tools: environment.tools,
    readOnly: products?.mounts ?? [],
    env: products?.env ?? {},
    programs,
    variables: contract.env ?? {},
    signal,
    products,
  });
  const key = keyOfRecord({
    baseSha256: contract.base.sha256,
    ...(contract.sealed_tests === null ? {} : { sealedSha256: contract.sealed_tests.sha256 }),
    testCommand: contract.test_command,
    productsSha256: facts?.products_sha256 ?? null,
    env: { ...contract.env, ...products?.env },
    confine: sandbox.confinement.kind,
    path: environment.tools.path,
    programs: toolchainDigests(programs),
  });
  const cacheDir = environment.tools.cacheDir;
  const { record, known } = await recordOf(run, bench, baseDir, contract.test_command, { cacheDir, key });
  if (record.tests.length === 0 && contract.judging.accept !== 'exit_code') run.block(reason('only_exit_code'));
  const text = prettyJson(record);
  run.log.write(BASE_RECORD_FILE, text);
  run.log.append('base.recorded', 'harness', {
    sha256: sha256(text),
    cached: known,
    tests: record.tests.length,
    failing: record.tests.filter(isFailing).length,
    found_by: record.found_by,
  });
  return {
    bench,
    record,
    baseDir,
    productStore: openProductStore(cacheDir, key),
    ...(baseTree === null ? {} : { baseTree }),
    sealed: sealedDir === null ? null : await sealedControl(run, contract, bench, record, sealedDir, copies),
  };
}

/** Null: the base is no cached one, or a copy of it. */
function committedBase(cached: CachedBase | undefined, dir: string): CommittedBase | null {
  return cached === undefined || cached.dir !== dir ? null : cached.committed();
}

async function sealedControl(
  run: Run,
  { given }: Contract,
  bench: TestBench,
  record: BaseRecord,
  dir: string,
  copies: Copies,
): Promise<SealedControl> {
  const demand = await demandOfSealedTests(bench, record, dir, await copies.base(), given?.kind === 'landing');
  return 'reason' in demand ? run.block(demand.reason) : { dir, ...demand };
}

async function recordOf(
  run: Run,
  ...asked: Parameters<typeof obtainRecord>
): Promise<Extract<ObtainedRecord, { readonly taken: true }>> {
  const taken = await obtainRecord(...asked);
  if (run.request.signal.aborted) run.block(reason('interrupted'));
  if (taken.taken) return taken;
  run.log.write('test.log', taken.result.output);
  return run.blockForAll(taken.reasons);
}
