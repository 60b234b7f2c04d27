import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { artifactPath, type Bundle } from '../../evidence/bundle/bundle.ts';
import { makeDirs } from '../../evidence/storage/durable.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import { storeBeside, storeDir } from '../../evidence/bundle/store.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import type { History } from '../../task/git/history.ts';
import { packTree, type Packed } from '../../task/tree/archive.ts';
import type { CachedBase } from './base-cache.ts';
import { contract as contractSchema, type Contract } from '../../task/contract.ts';

/** An archive above this size is kept once, in the store beside the runs, instead of in every bundle. */
const STORE_FROM_BYTES = 16 * 1024 * 1024;

/** Where a task's files and sealed tests lie before they are packed. */
export interface InputSources {
  readonly filesDir: string;
  readonly testsDir: string | null;
  /** The files were laid there by us for this one run: once they are packed, the directory may become its workspace. */
  readonly disposable?: boolean;
  /** The files lie in the cache, with all that follows from them. */
  readonly cached?: CachedBase;
  /** The past of the commit that the files are from, for the engine to see. */
  readonly history?: History;
}

interface Archive extends Packed {
  readonly path: string;
}

/** The two archives that a run starts from, and a third party starts again from. */
export interface Archives {
  readonly base: Archive;
  readonly tests: Archive | null;
}

/** Packs the inputs straight into the bundle: from here on the run reads its own copy. */
export function packInputs({ filesDir, testsDir, cached }: InputSources, bundle: Bundle): Archives {
  makeInputsDir(bundle);
  const pack = (dir: string, name: string): Archive => {
    const path = artifactPath(bundle, `inputs/${name}`);
    return place(path, bundle, packTree(dir, path));
  };
  return {
    base: cached === undefined ? pack(filesDir, 'base.tar') : bringCached(cached, bundle),
    tests: testsDir === null ? null : pack(testsDir, 'tests.tar'),
  };
}

/** An archive of the cache becomes the bundle's own, or is in the store already. */
function bringCached({ archive, isArchive }: CachedBase, bundle: Bundle): Archive {
  const { path: source, sha256, bytes } = archive;
  const stored = join(storeDir(bundle.runsDir), sha256);
  if (isLarge(archive)) refuseLinks(bundle.runsDir, storeDir(bundle.runsDir));
  if (isLarge(archive) && isArchive(stored)) return { path: stored, sha256, bytes };
  const path = artifactPath(bundle, 'inputs/base.tar');
  reportingWrite(path, () => {
    copyFileSync(source, path);
    chmodSync(path, 0o644);
  });
  if (digestFile(path).sha256 !== sha256)
    throw new SeatrialError('blocked', `${source} is damaged; empty the cache with \`seatrial cache prune --all\``);
  return place(path, bundle, { sha256, bytes });
}

const place = (path: string, bundle: Bundle, packed: Packed): Archive => ({
  path: isLarge(packed) ? moveToStore(path, bundle, packed) : path,
  ...packed,
});

/** A control keeps what its run has. */
export function copyInputs({ base, tests }: Archives, bundle: Bundle): Archives {
  makeInputsDir(bundle);
  const copy = (archive: Archive, name: string): Archive => {
    if (isLarge(archive)) return archive;
    const path = artifactPath(bundle, `inputs/${name}`);
    reportingWrite(path, () => copyFileSync(archive.path, path));
    return { ...archive, path };
  };
  return { base: copy(base, 'base.tar'), tests: tests === null ? null : copy(tests, 'tests.tar') };
}

function makeInputsDir(bundle: Bundle): void {
  const dir = artifactPath(bundle, 'inputs');
  reportingWrite(dir, () => makeDirs(dir));
}

const isLarge = ({ bytes }: Packed): boolean => bytes > STORE_FROM_BYTES;

/** Two runs may store the same bytes at once: either is as good as the other. */
function moveToStore(path: string, { runsDir }: Bundle, { sha256 }: Packed): string {
  const stored = join(storeDir(runsDir), sha256);
  reportingWrite(stored, () => {
    refuseLinks(runsDir, storeDir(runsDir));
    makeDirs(storeDir(runsDir));
    renameSync(path, stored);
  });
  return stored;
}

/** The archives of a bundle, which may come from another machine; each must be what the contract says. */
export function findArchives(bundleDir: string, contract: Contract): Archives {
  return {
    base: findArchive(bundleDir, 'base.tar', contract.base.sha256),
    tests: contract.sealed_tests === null ? null : findArchive(bundleDir, 'tests.tar', contract.sealed_tests.sha256),
  };
}

function findArchive(bundleDir: string, name: string, sha256: string): Archive {
  const path = [join(bundleDir, 'inputs', name), join(storeBeside(bundleDir), sha256)].find((candidate) =>
    existsSync(candidate),
  );
  if (path === undefined) {
    throw new SeatrialError(
      'evidence',
      `inputs/${name} of ${bundleDir} is not here: copy the directory store/ of its runs directory along with it`,
    );
  }
  const digest = digestFile(path);
  if (digest.sha256 !== sha256)
    throw new SeatrialError('evidence', `${path} is not what the contract names: it was changed`);
  return { path, ...digest };
}

/** The contract of a bundle, which may come from another machine. */
export function readContract(bundleDir: string): Contract {
  const path = join(bundleDir, 'inputs', 'contract.json');
  const unreadable = (why: string, cause?: unknown) =>
    new SeatrialError('evidence', `the bundle is damaged: ${path} cannot be read (${why})`, cause);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(messageOf(error), error);
  }
  const parsed = parseBytes(bytes, contractSchema);
  if (!parsed.ok) throw unreadable(parsed.fault);
  return parsed.value;
}
