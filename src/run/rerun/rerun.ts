import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { makeCommandScratch } from '../../confine/scratch.ts';
import { DEFAULT_LIMITS } from '../../confine/limits/limits.ts';
import { openConfinementFor } from '../confinement.ts';
import { withVirtualEnvironment } from '../../confine/tools/virtual-environment.ts';
import { readRun } from '../../evidence/bundle/runs.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { systemClock } from '../../kernel/clock.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { approvedFiles } from '../approvals/deciding.ts';
import type { BaseCache } from '../trees/base-cache.ts';
import { type Archives, findArchives, readContract } from '../trees/inputs.ts';
import { type JudgingEnvironment, type JudgingPlace, openJudgingPlace } from '../trees/judging-place.ts';
import { type JudgedTrees, judgeTrees } from '../judge/change/trees/judge-trees.ts';
import { judge } from '../judge/judge.ts';
import { keepScripts } from '../judge/command/base-files.ts';
import type { JudgeResult } from '../judge/types.ts';
import type { RunEnvironment } from '../request.ts';
import { imageFor } from '../steps/judge.ts';
import { missingStandIn, readMachine } from '../image/machine.ts';
import { needsImage } from '../image/prepare-task.ts';
import type { Contract } from '../../task/contract.ts';
import type { ImageTerms } from '../../task/image/terms.ts';
import { findToolchain } from '../toolchain.ts';
import { applyPatch, seenByGit } from '../patch/write.ts';
import { openOwnGit } from '../../task/git/own-git.ts';
import { layProducts } from '../provision/products.ts';
import { installerFor } from '../provision/changed/install.ts';
import { type CacheUse, type ProvisionEnvironment, provisionTree } from '../provision/provision.ts';

export interface RerunEnvironment extends JudgingEnvironment, Pick<RunEnvironment, 'secrets' | 'provision'> {
  readonly signal: AbortSignal;
  /** Where the files of bases are kept; null: nowhere. */
  readonly cache: BaseCache | null;
}

/** What judging again gave: of a task, or of a change to a repository. */
export type Rejudged = RejudgedTask | { readonly kind: 'change'; readonly judged: JudgedTrees };

export interface RejudgedTask {
  readonly kind: 'task';
  readonly patched: JudgeResult;
  /** The same tests on the tree before the change; null for a task that has an oracle instead. */
  readonly base: JudgeResult | null;
}

/**
 * Judges a bundle again from nothing but what lies in it. Writes only below a scratch directory of its own, and to the cache of bases, which
 * has the files of the bundle's archive if any.
 */
export async function rejudge(
  bundleDir: string,
  environment: RerunEnvironment,
  fresh = false,
): Promise<Rejudged | null> {
  const contract = readContract(bundleDir);
  if (contract.test_command === null) return null;
  const archives = findArchives(bundleDir, contract);
  const scratch = makeCommandScratch('rerun');
  const mask = new Masker(environment.secrets);
  let close = (): void => {};
  try {
    const place = await openPlace(environment, scratch, contract, archives);
    close = place.close;
    const { confinement, baseDir: workspace } = place;
    if (contract.image !== undefined) await requireStandIns(contract.image, environment);
    const { repository } = contract;
    const tools =
      repository === null ? environment.tools : withVirtualEnvironment(environment.tools, repository.path, workspace);
    const toolchain = await findToolchain(contract.test_command, workspace, tools, contract.image);
    const setupEnvironment: ProvisionEnvironment = {
      confinement,
      limits: DEFAULT_LIMITS,
      signal: environment.signal,
      clock: systemClock,
      cache: cacheFor(bundleDir, environment),
      tools,
      programs: toolchain,
      env: environment.provision.env,
      files: environment.provision.files,
      variables: contract.env ?? {},
      scratch,
      logs: join(scratch, 'logs'),
      mask: mask.with(environment.provision.secrets),
      onLine: () => {},
    };
    const provisioned = await provisionTree(
      setupEnvironment,
      { archive: archives.base.path, sha256: contract.base.sha256, dir: workspace },
      contract.setup_command,
    );
    const { products, programs } = provisioned;
    // The same for a task and for a change to a repository.
    const terms = {
      testCommand: contract.test_command,
      timeoutMs: contract.verifier_timeout_sec * 1000,
      confinement,
      mask,
      tools,
      readOnly: products?.mounts ?? [],
      env: products?.env ?? {},
      programs,
      variables: contract.env ?? {},
      signal: environment.signal,
    };
    if (contract.judging !== undefined) {
      const { patchedDir, cachedBase } = place;
      const ownGit = openOwnGit(join(scratch, 'git'));
      const seen = seenByGit(confinement, patchedDir);
      await applyPatch(bundleDir, patchedDir, ownGit, seen, cachedBase?.tree ?? null);
      const sealedTests = archives.tests === null ? null : join(scratch, 'sealed');
      if (archives.tests !== null && sealedTests !== null) unpackTree(archives.tests.path, sealedTests);
      return {
        kind: 'change',
        judged: await judgeTrees({
          baseDir: place.baseDir,
          patchedDir,
          ...(cachedBase === undefined ? {} : { cachedBase }),
          judging: contract.judging,
          approved: approvedFiles(contract),
          require: contract.judging.require ?? 'fixed_if_failing',
          sealedMayPass: contract.given?.kind === 'landing',
          seed: fresh ? null : (readRun(bundleDir).report?.tests.must_fail?.seed ?? null),
          sealedTests,
          install: installerFor({ ...setupEnvironment, cache: { kind: 'none' } }, provisioned),
          ...terms,
          isolation: 'in_process',
          nonce: randomBytes(16).toString('hex'),
          scratch: join(scratch, 'bench', 'runs'),
          products,
        }),
      };
    }
    const scriptsIn = keepScripts(workspace, join(scratch, 'scripts'));
    const base = walkTree(workspace);
    await applyPatch(bundleDir, workspace, openOwnGit(join(scratch, 'git')));
    const changes = compareTrees(base, walkTree(workspace));
    if (products !== null) layProducts(products, workspace, confinement);
    const request = {
      ...terms,
      scriptsIn,
      patch: { base, changes },
      expectedTests: contract.expected_tests,
      isolation: contract.isolation,
      rebuild: products?.rebuild ?? null,
      ...imageFor(contract),
    };
    const judgeTree = (tree: string, name: string): Promise<JudgeResult> => {
      const own = join(scratch, name);
      mkdirSync(own);
      const sealedTests = archives.tests === null ? null : join(own, 'tests');
      if (archives.tests !== null && sealedTests !== null) unpackTree(archives.tests.path, sealedTests);
      mkdirSync(join(own, 'judge'));
      const nonce = randomBytes(16).toString('hex');
      return judge({ ...request, workspace: tree, sealedTests, nonce, scratch: join(own, 'judge') });
    };
    const patched = await judgeTree(workspace, 'patched');
    if (contract.has_oracle) return { kind: 'task', patched, base: null };
    const untouched = join(scratch, 'base');
    unpackTree(archives.base.path, untouched);
    if (products !== null) layProducts(products, untouched, confinement);
    return { kind: 'task', patched, base: await judgeTree(untouched, 'before') };
  } finally {
    close();
    await removeScratch(scratch);
  }
}

/** A task is judged in the very tree that is patched, which its tests may write to; a change in trees derived from the base. */
async function openPlace(
  environment: RerunEnvironment,
  scratch: string,
  { judging, image }: Contract,
  { base }: Archives,
): Promise<JudgingPlace> {
  const lay = (dir: string): void => unpackTree(base.path, dir);
  if (judging !== undefined) {
    const cached = (await environment.cache?.obtainArchive(base)) ?? null;
    return openJudgingPlace(environment, scratch, { cached, lay, image });
  }
  const dir = join(scratch, 'pristine');
  lay(dir);
  const confinement = await openConfinementFor(environment, scratch, environment.covered, image);
  return { confinement, baseDir: dir, patchedDir: dir, close: () => {} };
}

/** Throws where programs or packages that stood in for the image are missing: their absence says nothing about the patch. */
async function requireStandIns(image: ImageTerms, { tools }: RerunEnvironment): Promise<void> {
  if (image.root !== undefined) return;
  const missing = missingStandIn(await readMachine(tools), image);
  if (missing !== null)
    throw needsImage(`this machine has no ${missing}, which stood in for it; install it, then verify again`);
}

/** What the bundle was judged with, if it is still here; and nothing is written. */
function cacheFor(bundleDir: string, { provision: { cacheDir } }: RerunEnvironment): CacheUse {
  const products = readRun(bundleDir).report?.provision?.products_sha256;
  if (cacheDir === null || products === undefined) return { kind: 'none' };
  return { kind: 'read', dir: cacheDir, productsSha256: products };
}
