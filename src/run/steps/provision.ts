import type { Programs } from '../../confine/tools/caller-programs.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import { openCaches } from '../provision/products.ts';
import { provisionTree, type Provisioned, type ProvisionEnvironment } from '../provision/provision.ts';
import { findToolchain, withProgramsOf } from '../toolchain.ts';
import type { Run, RunSandbox } from './state.ts';
import type { Copies } from '../trees/copies.ts';
import { noteShown, type ProbedSandbox } from '../sandbox.ts';
import type { PreparedContract } from './contract.ts';
import { pathInside } from '../../confine/path-inside.ts';

/** Sets up what engine and judge need, once a run: a control uses what its run has. */
export async function provisionRun(
  run: Run,
  { contract, archives }: PreparedContract,
  sandbox: ProbedSandbox,
  copies: Copies,
): Promise<Provisioned> {
  const { request } = run;
  const provisioned =
    request.controlOf === undefined
      ? await setUp(run, contract, archives.base.path, sandbox, copies)
      : shared(request.controlOf.provisioned);
  const { facts, dirty } = provisioned;
  // A task's own words for it are those of its check, in the workspace step.
  if (dirty.length > 0 && contract.repository !== null)
    run.block(reason('setup_changes_files', { paths: run.mask.texts(dirty).join(', ') }));
  if (facts !== null) {
    run.log.append('provision.completed', 'harness', facts);
  }
  return provisioned;
}

/** The terms of every setup of a run; what the caller has set for setups, and what the task has, are added by `setUp`. */
export function provisionEnvironment(run: Run, { confinement }: RunSandbox, programs: Programs): ProvisionEnvironment {
  const { environment, signal, watch } = run.request;
  const cacheDir = environment.provision.cacheDir;
  return {
    confinement,
    limits: run.limits,
    signal,
    clock: environment.clock,
    cache: cacheDir === null ? { kind: 'none' } : { kind: 'fill', dir: cacheDir, key: environment.key },
    tools: environment.tools,
    programs,
    env: {},
    variables: {},
    scratch: run.scratch,
    logs: run.artifact('backend'),
    mask: run.setupMask,
    onLine: (line) => watch.activity(line),
  };
}

async function setUp(
  run: Run,
  contract: Contract,
  archive: string,
  sandbox: ProbedSandbox,
  copies: Copies,
): Promise<Provisioned> {
  const { environment, signal } = run.request;
  const baseDir = await copies.pristine();
  const programs = await findToolchain(contract.test_command, baseDir, environment.tools, contract.image);
  try {
    return await provisionTree(
      {
        ...provisionEnvironment(run, sandbox, programs),
        env: environment.provision.env,
        files: environment.provision.files,
        variables: contract.env ?? {},
      },
      { archive, sha256: contract.base.sha256, dir: baseDir },
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

/** The sandbox with what was set up and the caller's programs in it, read-only: for engine and review. */
export async function withProvisionedMounts(
  run: Run,
  contract: Contract,
  sandbox: ProbedSandbox,
  { products, programs }: Provisioned,
): Promise<ProbedSandbox> {
  const { engine, environment } = run.request;
  const lines = contract.image?.root === undefined ? [engine.shellLine ?? null, contract.review] : [];
  const found = await withProgramsOf(programs, lines, environment.tools);
  const added = [...(products?.mounts ?? []), ...found.mounts];
  const caches = products === null ? [] : openCaches(products, run.scratchPath('caches'), sandbox.confinement);
  const mounts = [...sandbox.mounts, ...added, ...caches];
  const at = (path: string): string => pathInside(sandbox.confinement, path, mounts);
  noteShown(run, added);
  return {
    ...sandbox,
    mounts,
    at,
    programs: found,
    env: { ...contract.env, ...products?.env, ...searchPath(found.dirs.map(at)) },
  };
}
