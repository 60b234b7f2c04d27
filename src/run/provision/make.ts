import { chmodSync, mkdirSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { takeTree } from '../../confine/take-tree.ts';
import type { Programs } from '../../confine/tools/caller-programs.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Mount } from '../../confine/types.ts';
import { commitBase } from '../../task/git/base-commit.ts';
import { makeGitDir } from '../../task/git/call.ts';
import { packTree } from '../../task/tree/archive.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import { dropCredentials } from './drop-credentials.ts';
import { type EntryManifest, digestProducts, ENTRY, entryFingerprint } from './entry.ts';
import { PROVISION, setupEnvironment, trustedAuthorities } from './environment.ts';
import { layProvisionFiles, type ProvisionFile } from './files.ts';
import { type SetupOutput, classifySetupOutput } from './harvest.ts';
import { makeCachePlaces } from './products.ts';
import { runSetup, SetupFailed, type SetupRequest } from './setup.ts';
import type { SetupTools } from './tools.ts';
import { pathInside } from '../../confine/path-inside.ts';

export interface Making extends Omit<SetupRequest, 'env' | 'mounts'> {
  readonly key: string;
  readonly baseArchive: string;
  readonly tools: SetupTools;
  readonly programs: Programs;
  readonly variables: Readonly<Record<string, string>>;
  /** Looks at the tree with what the setup made, and may change that; returns why it cannot be used. */
  readonly settle?: (tree: string) => readonly string[];
  /** Variables of the caller, passed only to the setup. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of the caller, likewise. */
  readonly files?: readonly ProvisionFile[] | undefined;
}

export type Made =
  | { readonly kind: 'made'; readonly about: EntryManifest }
  /** The setup changed files of the base, so its products are unusable. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] };

/** Runs the setup in a copy of the base below `dir` and arranges its products as a cache entry. */
export async function makeProducts(dir: string, making: Making): Promise<Made> {
  const { confinement } = making;
  const at = (name: string): string => join(dir, name);
  const [work, home, caches, shims] = [at('work'), at('home'), at(ENTRY.caches), at('shims')];
  unpackTree(making.baseArchive, work);
  for (const path of [home, join(home, 'tmp'), caches, shims]) mkdirSync(path);
  for (const name of making.tools.byCorepack) writeShim(join(shims, name), name);
  layProvisionFiles(making.files ?? [], home, caches);
  const before = walkTree(work, SKIP_GIT);
  // Some setups ask git for a version or install hooks. Gone with the rest of the tree.
  makeGitDir(join(work, '.git'));
  commitBase(join(work, '.git'), work, before);
  for (const path of [work, home, caches]) confinement.give(path);
  const mounts: Mount[] = [
    { source: work, target: '/workspace', mode: 'rw' },
    { source: caches, target: PROVISION, mode: 'rw' },
    // On disk rather than in memory, because package managers download into it. Removed afterwards.
    { source: home, target: '/home/agent', mode: 'rw' },
    { source: shims, target: '/setup', mode: 'ro' },
    ...making.tools.mounts,
    ...making.programs.mounts,
  ];
  const inside = (path: string): string => pathInside(confinement, path, mounts);
  const env = {
    ...trustedAuthorities(),
    ...making.variables,
    ...making.env,
    ...setupEnvironment(inside(PROVISION)),
    HOME: inside('/home/agent'),
    TMPDIR: inside('/home/agent/tmp'),
    ...searchPath([inside('/setup'), ...making.tools.dirs, ...making.programs.dirs]),
  };
  await runSetup({ ...making, env, mounts });
  takeTree(work);
  takeTree(caches);
  dropCredentials(work, before, caches);
  const unusable = making.settle?.(work) ?? [];
  if (unusable.length > 0) throw new SetupFailed(unusable.map((text) => reason('detail', { text })));
  const output = classifySetupOutput(before, walkTree(work, { installed: true, ...SKIP_GIT }));
  if (output.dirty.length > 0) return { kind: 'dirty', files: output.dirty };
  moveProducts(dir, work, output);
  if (readdirSync(caches).length === 0) rmdirSync(caches);
  await Promise.all([work, home, shims].map((path) => removeScratch(path)));
  chmodSync(dir, 0o755);
  return { kind: 'made', about: describe(dir, making.key, output) };
}

const SKIP_GIT = { skipTopGit: true };

function moveProducts(dir: string, work: string, { dirs, files }: SetupOutput): void {
  for (const path of dirs) {
    const place = join(dir, ENTRY.tree, path);
    mkdirSync(dirname(place), { recursive: true });
    renameSync(join(work, path), place);
    makeCachePlaces(place);
  }
  if (files.length > 0) packTree(work, join(dir, ENTRY.files), files);
}

function describe(dir: string, key: string, { dirs, files }: SetupOutput): EntryManifest {
  return {
    version: 1,
    key,
    products_sha256: digestProducts(dir),
    marks_sha256: entryFingerprint(dir),
    folders: [...dirs],
    files: files.map((path) => path.toString('latin1')),
  };
}

function writeShim(file: string, manager: string): void {
  writeFileSync(file, `#!/bin/sh\nexec corepack ${manager} "$@"\n`);
  chmodSync(file, 0o755);
}
