import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import { type CacheUse, NOTHING_PROVISIONED, provisionTree, type Provisioned } from '../provision/provision.ts';
import type { Run } from './state.ts';
import { type PreparedContract, type Copies, noteShown, type ProbedSandbox } from './prepare.ts';

/** Sets up what engine and judge need, once a run: a control uses what its run has. */
export async function provisionRun(
  run: Run,
  { contract, archives }: PreparedContract,
  ground: ProbedSandbox,
  copies: Copies,
): Promise<Provisioned> {
  const { order } = run;
  const provisioned =
    order.controlOf === undefined
      ? await setUp(run, contract, archives.base.path, ground, copies)
      : shared(order.controlOf.provisioned);
  const { facts } = provisioned;
  if (facts !== null) {
    run.findings.provision = facts;
    run.log.append('provision.completed', 'harness', facts);
  }
  return provisioned;
}

async function setUp(
  run: Run,
  contract: Contract,
  archive: string,
  ground: ProbedSandbox,
  copies: Copies,
): Promise<Provisioned> {
  if (contract.setup_command === null) return NOTHING_PROVISIONED;
  const { site, signal, watch } = run.order;
  const cacheDir = site.provision.cacheDir;
  const cache: CacheUse = cacheDir === null ? { kind: 'none' } : { kind: 'fill', dir: cacheDir, key: site.key };
  try {
    return await provisionTree(
      {
        confinement: ground.confinement,
        limits: run.limits,
        signal,
        clock: site.clock,
        cache,
        tools: site.tools,
        env: site.provision.env,
        scratch: run.scratch,
        logs: run.artifact('backend'),
        mask: run.mask.with(site.provision.secrets),
        onLine: (line) => watch.activity(line),
      },
      { archive, sha256: contract.base.sha256, dir: copies.pristine() },
      contract.setup_command,
    );
  } catch (error) {
    if (signal.aborted) run.block(reason('interrupted'));
    throw error;
  }
}

function shared(provisioned: Provisioned): Provisioned {
  const { facts } = provisioned;
  return { ...provisioned, facts: facts === null ? null : { ...facts, cached: true, duration_ms: 0 } };
}

/** The ground with what was set up on it, read-only, for the engine to stand on. */
export function withProvisionedMounts(run: Run, ground: ProbedSandbox, { products }: Provisioned): ProbedSandbox {
  if (products === null) return ground;
  const mounts = [...ground.mounts, ...products.mounts];
  const at = (path: string): string => ground.confinement.pathInside(path, mounts);
  noteShown(run, products.mounts);
  return { ...ground, mounts, at, env: { ...products.env, ...searchPath(products.searched.map(at)) } };
}
