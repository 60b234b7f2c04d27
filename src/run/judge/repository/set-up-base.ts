import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../../../confine/limits/limits.ts';
import type { Programs } from '../../../confine/tools/caller-programs.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { readRepositoryDefaults, setupOf } from '../../../task/ask.ts';
import { packTree } from '../../../task/tree/archive.ts';
import type { BaseArchive } from '../../trees/base-cache.ts';
import { installerFor } from '../../provision/changed/install.ts';
import { provisionTree, type ProvisionEnvironment } from '../../provision/provision.ts';
import { toolchainDigests } from '../../toolchain.ts';
import { SetupFailed } from '../../provision/setup.ts';
import type { TreesRequest } from '../change/trees/judge-trees.ts';
import type { JudgeRequest } from '../types.ts';

/** How the dependencies of a commit are set up before it is judged. */
export interface CommitSetup extends Pick<ProvisionEnvironment, 'cache' | 'env' | 'files' | 'mask'> {
  /** Absent: as `.seatrial/task.toml` of the base or its lockfile says; empty: none. */
  readonly command?: string;
}

const MAX_LINES = 5;

export type SetUp = Pick<TreesRequest, 'products' | 'install' | 'programs' | 'readOnly' | 'env' | 'variables'>;

/** What a record of the base's tests depends on. */
export interface SetUpFacts {
  readonly baseSha256: string;
  readonly productsSha256: string | null;
  readonly programDigests: readonly string[];
}

interface SetupRequest extends Pick<JudgeRequest, 'confinement'> {
  readonly tools?: JudgeRequest['tools'];
  readonly signal?: AbortSignal;
  readonly repo: string;
  /** An existing directory. */
  readonly scratch: string;
  readonly setup?: CommitSetup;
}

/** Sets up the base's dependencies, as a run does. Throws `SetupFailed`. */
export async function setUpBase(
  request: SetupRequest,
  { dir: baseDir, archive: packed }: { readonly dir: string; readonly archive: BaseArchive | null },
  programs: Programs,
): Promise<SetUp & { readonly facts: SetUpFacts | null }> {
  const { setup, tools, confinement, signal, repo } = request;
  if (setup === undefined || tools === undefined) return { products: null, install: null, programs, facts: null };
  const own = readRepositoryDefaults(baseDir, repo).seatrial ?? {};
  const scratch = join(request.scratch, 'setup');
  mkdirSync(scratch, { mode: 0o711 });
  const { path: archive, sha256 } = packed ?? pack(baseDir, join(scratch, 'base.tar'));
  const site: ProvisionEnvironment = {
    confinement,
    limits: DEFAULT_LIMITS,
    signal: signal ?? new AbortController().signal,
    clock: systemClock,
    cache: setup.cache,
    tools,
    programs,
    env: setup.env,
    files: setup.files,
    variables: own.env ?? {},
    scratch,
    logs: join(scratch, 'logs'),
    mask: setup.mask,
    onLine: () => {},
  };
  const command = setupOf(setup.command ?? own.setup_command, baseDir);
  const provisioned = await provisionTree(site, { archive, sha256, dir: baseDir }, command).catch((error: unknown) => {
    throw error instanceof SetupFailed ? new SetupFailed([...error.reasons, ...lastOutput(site.logs)]) : error;
  });
  if (provisioned.dirty.length > 0)
    throw new SetupFailed([reason('setup_changes_files', { paths: provisioned.dirty.join(', ') })]);
  const { products } = provisioned;
  return {
    products,
    install: installerFor(site, provisioned),
    programs: provisioned.programs,
    readOnly: products?.mounts ?? [],
    env: products?.env ?? {},
    variables: own.env ?? {},
    facts: {
      baseSha256: sha256,
      productsSha256: provisioned.facts?.products_sha256 ?? null,
      programDigests: toolchainDigests(provisioned.programs),
    },
  };
}

const pack = (dir: string, path: string): Pick<BaseArchive, 'path' | 'sha256'> => ({ path, ...packTree(dir, path) });

/** No bundle keeps the output of this setup, so its end is part of the message. */
function lastOutput(logs: string): readonly Reason[] {
  const lines = ['setup.stdout.log', 'setup.stderr.log'].flatMap((name) => {
    const file = join(logs, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  });
  const last = lines.filter((line) => line.trim() !== '').slice(-MAX_LINES);
  return last.length === 0 ? [] : [reason('detail', { text: `it printed last:\n${last.join('\n')}` })];
}
