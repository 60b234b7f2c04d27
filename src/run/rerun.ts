import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../confine/scratch.ts';
import { DEFAULT_LIMITS } from '../confine/limits/limits.ts';
import { openConfinement } from '../confine/open.ts';
import { readRun } from '../evidence/bundle/runs.ts';
import { Masker } from '../evidence/secrets/mask.ts';
import { systemClock } from '../kernel/clock.ts';
import { unpackTree } from '../task/tree/unpack.ts';
import { findArchives, readContract } from './inputs.ts';
import { judge } from './judge/judge.ts';
import { keepScripts } from './judge/command/base-files.ts';
import type { JudgeResult } from './judge/types.ts';
import type { RunEnvironment } from './request.ts';
import { applyPatch, openOwnGit } from './patch/write.ts';
import { layProducts } from './provision/products.ts';
import { type CacheUse, provisionTree } from './provision/provision.ts';

export interface RerunSite extends Pick<
  RunEnvironment,
  'confine' | 'covered' | 'readOnly' | 'tools' | 'secrets' | 'provision'
> {
  readonly signal: AbortSignal;
}

/** Judges a bundle again from nothing but what lies in it. Writes only below a scratch folder of its own. */
export async function rejudge(bundleDir: string, site: RerunSite): Promise<JudgeResult | null> {
  const contract = readContract(bundleDir);
  if (contract.test_command === null) return null;
  const archives = findArchives(bundleDir, contract);
  const scratch = makeScratch();
  const mask = new Masker(site.secrets);
  try {
    const workspace = join(scratch, 'pristine');
    unpackTree(archives.base.path, workspace);
    const confinement = await openConfinement({
      kind: site.confine,
      scratch,
      cacheDir: site.tools.cacheDir,
      covered: site.covered,
      readOnly: site.readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
    });
    const { products } = await provisionTree(
      {
        confinement,
        limits: DEFAULT_LIMITS,
        signal: site.signal,
        clock: systemClock,
        cache: cacheFor(bundleDir, site),
        tools: site.tools,
        env: site.provision.env,
        scratch,
        logs: join(scratch, 'logs'),
        mask: mask.with(site.provision.secrets),
        onLine: () => {},
      },
      { archive: archives.base.path, sha256: contract.base.sha256, dir: workspace },
      contract.setup_command,
    );
    const scriptsIn = keepScripts(workspace, join(scratch, 'scripts'));
    await applyPatch(bundleDir, workspace, openOwnGit(join(scratch, 'git')));
    if (products !== null) layProducts(products, workspace, confinement);
    const sealedTests = archives.tests === null ? null : join(scratch, 'tests');
    if (archives.tests !== null && sealedTests !== null) unpackTree(archives.tests.path, sealedTests);
    const own = join(scratch, 'judge');
    mkdirSync(own);
    return await judge({
      workspace,
      sealedTests,
      testCommand: contract.test_command,
      scriptsIn,
      expectedTests: contract.expected_tests,
      isolation: contract.isolation,
      timeoutMs: contract.verifier_timeout_sec * 1000,
      nonce: randomBytes(16).toString('hex'),
      scratch: own,
      confinement,
      mask,
      tools: site.tools,
      readOnly: products?.mounts ?? [],
      env: products?.env ?? {},
      signal: site.signal,
    });
  } finally {
    await removeScratch(scratch);
  }
}

/** What the bundle was judged with, if it is still here; and nothing is written. */
function cacheFor(bundleDir: string, { provision: { cacheDir } }: RerunSite): CacheUse {
  const products = readRun(bundleDir).report?.provision?.products_sha256;
  if (cacheDir === null || products === undefined) return { kind: 'none' };
  return { kind: 'read', dir: cacheDir, productsSha256: products };
}
