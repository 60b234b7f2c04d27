import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../kernel/canonical.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { digestFile, packTree } from '../task/archive.ts';
import type { Contract, Terms } from '../task/schema.ts';

/** An archive above this size is kept once, in the store beside the runs, instead of in every bundle. */
const LARGE_INPUT_BYTES = 32 * 1024 * 1024;

type Archive = Contract['base'];
export type InputName = 'base' | 'tests';

export interface InputSources {
  readonly filesDir: string;
  readonly testsDir: string | null;
}

/** Packs what the run starts from and writes the contract beside it: from here on the run reads these, not the originals. */
export async function keepInputs(bundleDir: string, storeDir: string, terms: Terms, from: InputSources): Promise<Contract> {
  mkdirSync(join(bundleDir, 'inputs'), { recursive: true });
  const [base, sealed] = await Promise.all([
    keepArchive(bundleDir, storeDir, 'base', from.filesDir),
    from.testsDir === null ? null : keepArchive(bundleDir, storeDir, 'tests', from.testsDir),
  ]);
  return writeContract(bundleDir, { ...terms, base, sealed_tests: sealed });
}

/** The control starts from the very same bytes. */
export function copyInputs(fromBundle: string, toBundle: string, contract: Contract, terms: Terms): Contract {
  mkdirSync(join(toBundle, 'inputs'), { recursive: true });
  for (const name of ['base', 'tests'] as const) {
    const source = archivePath(fromBundle, name);
    if (existsSync(source)) copyFileSync(source, archivePath(toBundle, name));
  }
  return writeContract(toBundle, { ...terms, base: contract.base, sealed_tests: contract.sealed_tests });
}

/** Where an archive of a bundle lies: inside it, or in the store of its runs folder. */
export function findInput(bundleDir: string, storeDir: string, name: InputName, archive: Archive): string {
  const own = archivePath(bundleDir, name);
  if (existsSync(own)) return own;
  const stored = join(storeDir, archive.sha256);
  if (existsSync(stored)) return stored;
  throw new SeatrialError('evidence', `inputs/${name}.tar (sha256 ${archive.sha256}) is neither in ${bundleDir} nor in ${storeDir}: copy the store along with the bundle`);
}

async function keepArchive(bundleDir: string, storeDir: string, name: InputName, dir: string): Promise<Archive> {
  const file = archivePath(bundleDir, name);
  await packTree(dir, file);
  const digest = await digestFile(file);
  if (digest.bytes > LARGE_INPUT_BYTES) moveToStore(file, storeDir, digest.sha256);
  return digest;
}

function moveToStore(file: string, storeDir: string, sha256: string): void {
  mkdirSync(storeDir, { recursive: true });
  const stored = join(storeDir, sha256);
  if (existsSync(stored)) rmSync(file);
  else renameSync(file, stored);
}

function writeContract(bundleDir: string, contract: Contract): Contract {
  writeFileSync(join(bundleDir, 'inputs', 'contract.json'), prettyJson(contract));
  return contract;
}

function archivePath(bundleDir: string, name: InputName): string {
  return join(bundleDir, 'inputs', `${name}.tar`);
}
