import { chmodSync, mkdirSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeScratch } from '../../confine/scratch.ts';
import { takeTree } from '../../confine/take-tree.ts';
import type { Mount } from '../../confine/types.ts';
import { packTree } from '../../task/tree/archive.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import { dropCredentials } from './drop-credentials.ts';
import { type EntryManifest, digestProducts, ENTRY, statFingerprint } from './entry.ts';
import { PROVISION, setupEnvironment, trustedAuthorities } from './environment.ts';
import { type SetupOutput, classifySetupOutput } from './harvest.ts';
import { runSetup, type SetupRequest } from './setup.ts';
import type { SetupTools } from './tools.ts';

export interface Making extends Omit<SetupRequest, 'env' | 'mounts'> {
  readonly key: string;
  readonly baseArchive: string;
  readonly tools: SetupTools;
  /** What the caller passes on to the setup alone. */
  readonly env: Readonly<Record<string, string>>;
}

export type Made =
  | { readonly kind: 'made'; readonly about: EntryManifest }
  /** It changed files of the base, so nothing of it can be used. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] };

/** Runs the setup in a copy of its own below `dir` and sorts what it made into the form of an entry. */
export async function makeProducts(dir: string, making: Making): Promise<Made> {
  const { confinement } = making;
  const at = (name: string): string => join(dir, name);
  const [work, home, caches, shims] = [at('work'), at('home'), at(ENTRY.caches), at('shims')];
  unpackTree(making.baseArchive, work);
  for (const folder of [home, join(home, 'tmp'), caches, shims]) mkdirSync(folder);
  for (const name of making.tools.byCorepack) writeShim(join(shims, name), name);
  const before = walkTree(work);
  for (const folder of [work, home, caches]) confinement.give(folder);
  const mounts: Mount[] = [
    { source: work, target: '/workspace', mode: 'rw' },
    { source: caches, target: PROVISION, mode: 'rw' },
    // On disk and not in memory: package managers fill it with what they download, and none of that is kept.
    { source: home, target: '/home/agent', mode: 'rw' },
    { source: shims, target: '/setup', mode: 'ro' },
    ...making.tools.mounts,
  ];
  const inside = (path: string): string => confinement.pathInside(path, mounts);
  const env = {
    ...trustedAuthorities(),
    ...making.env,
    ...setupEnvironment(inside(PROVISION)),
    HOME: inside('/home/agent'),
    TMPDIR: inside('/home/agent/tmp'),
    ...searchPath([inside('/setup'), ...making.tools.folders]),
  };
  await runSetup({ ...making, env, mounts });
  takeTree(work);
  takeTree(caches);
  dropCredentials(work, before, caches);
  const harvest = classifySetupOutput(before, walkTree(work, { installed: true }));
  if (harvest.dirty.length > 0) return { kind: 'dirty', files: harvest.dirty };
  sortInto(dir, work, harvest);
  if (readdirSync(caches).length === 0) rmdirSync(caches);
  await Promise.all([work, home, shims].map((folder) => removeScratch(folder)));
  chmodSync(dir, 0o755);
  return { kind: 'made', about: describe(dir, making.key, harvest) };
}

function sortInto(dir: string, work: string, { folders: dirs, files }: SetupOutput): void {
  for (const folder of dirs) {
    const place = join(dir, ENTRY.tree, folder);
    mkdirSync(dirname(place), { recursive: true });
    renameSync(join(work, folder), place);
  }
  if (files.length > 0) packTree(work, join(dir, ENTRY.files), files);
}

function describe(dir: string, key: string, { folders, files }: SetupOutput): EntryManifest {
  return {
    version: 1,
    key,
    products_sha256: digestProducts(dir),
    marks_sha256: statFingerprint(dir),
    folders: [...folders],
    files: files.map((path) => path.toString('latin1')),
  };
}

function writeShim(file: string, manager: string): void {
  writeFileSync(file, `#!/bin/sh\nexec corepack ${manager} "$@"\n`);
  chmodSync(file, 0o755);
}
