import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { artifactPath, type Bundle, writeArtifact } from '../evidence/bundle.ts';
import { reportingWrite } from '../evidence/durable.ts';
import { digestFile } from '../evidence/file-tree.ts';
import { storeBeside, storeFolder } from '../evidence/store.ts';
import { prettyJson } from '../kernel/canonical.ts';
import { messageOf, SeatrialError } from '../kernel/errors.ts';
import { packTree, type Packed } from '../task/archive.ts';
import { contract as contractSchema, type Contract, type Terms } from '../task/schema.ts';

/** An archive above this size is kept once, in the store beside the runs, instead of in every bundle. */
const STORE_FROM_BYTES = 16 * 1024 * 1024;

/** Where a task's files and sealed tests lie before they are packed. */
export interface InputSources {
  readonly filesDir: string;
  readonly testsDir: string | null;
}

interface Archive extends Packed {
  readonly path: string;
}

/** The two archives that a run starts from, and a third party starts again from. */
export interface Archives {
  readonly base: Archive;
  readonly tests: Archive | null;
}

export function packInputs({ filesDir, testsDir }: InputSources, scratch: string): Archives {
  const pack = (dir: string, name: string): Archive => ({
    path: join(scratch, name),
    ...packTree(dir, join(scratch, name)),
  });
  return { base: pack(filesDir, 'base.tar'), tests: testsDir === null ? null : pack(testsDir, 'tests.tar') };
}

/** Keeps the archives and the contract that names them by digest in the bundle. */
export function keepInputs(bundle: Bundle, terms: Terms, archives: Archives): Contract {
  const contract: Contract = {
    ...terms,
    base: keepArchive(bundle, 'base.tar', archives.base),
    sealed_tests: archives.tests === null ? null : keepArchive(bundle, 'tests.tar', archives.tests),
  };
  writeArtifact(bundle, 'inputs/contract.json', prettyJson(contract));
  return contract;
}

/** The archives of a bundle that somebody else may have brought here; each must be what the contract says. */
export function findArchives(bundleDir: string, contract: Contract): Archives {
  return {
    base: findArchive(bundleDir, 'base.tar', contract.base.sha256),
    tests: contract.sealed_tests === null ? null : findArchive(bundleDir, 'tests.tar', contract.sealed_tests.sha256),
  };
}

function keepArchive(bundle: Bundle, name: string, { path, sha256, bytes }: Archive): Contract['base'] {
  const large = bytes > STORE_FROM_BYTES;
  const target = large ? join(storeFolder(bundle.runsDir), sha256) : artifactPath(bundle, `inputs/${name}`);
  reportingWrite(target, () => {
    if (large && existsSync(target)) return;
    mkdirSync(dirname(target), { recursive: true });
    // Renamed into place: two runs may store the same bytes at once, and a half-written one must not be found.
    const incoming = `${target}.incoming-${bundle.runId}`;
    copyFileSync(path, incoming);
    renameSync(incoming, target);
  });
  return { sha256, bytes };
}

function findArchive(bundleDir: string, name: string, sha256: string): Archive {
  const path = [join(bundleDir, 'inputs', name), join(storeBeside(bundleDir), sha256)].find((place) =>
    existsSync(place),
  );
  if (path === undefined) {
    throw new SeatrialError(
      'evidence',
      `inputs/${name} of ${bundleDir} is not here: copy the folder store/ of its runs folder along with it`,
    );
  }
  const digest = digestFile(path);
  if (digest.sha256 !== sha256)
    throw new SeatrialError('evidence', `${path} is not what the contract names: it was changed`);
  return { path, ...digest };
}

/** The contract of a bundle that somebody else may have brought here. */
export function readContract(bundleDir: string): Contract {
  const path = join(bundleDir, 'inputs', 'contract.json');
  try {
    return contractSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new SeatrialError(
      'evidence',
      `${path} cannot be read, so the run cannot be used again: ${messageOf(error)}`,
      error,
    );
  }
}
