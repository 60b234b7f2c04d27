import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { systemCode } from '../../kernel/errors.ts';
import { CONTROL_DIR } from './bundle.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import { count, sha256Hex } from '../schema/parts.ts';

const archive = z.object({ sha256: sha256Hex, bytes: count });
/** The part of a contract that names the archives a run needs; each is in the bundle or in the store. */
const archivesOfContract = z.object({ base: archive, sealed_tests: z.nullable(archive) });

export interface NeededArchive {
  /** Path in the bundle, if it is stored there. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export const storeDir = (runsDir: string): string => join(runsDir, 'store');

/** The store that a bundle, or a control inside one, refers to. */
export function storeBeside(dir: string): string {
  return storeDir(dirname(basename(dir) === CONTROL_DIR ? dirname(dir) : dir));
}

/** Archives that a contract names; none if the contract cannot be read. */
export function neededArchives(contract: Buffer | null): readonly NeededArchive[] {
  try {
    const { base, sealed_tests } = archivesOfContract.parse(JSON.parse(contract?.toString('utf8') ?? 'null'));
    const tests = sealed_tests === null ? [] : [{ path: 'inputs/tests.tar', ...sealed_tests }];
    return [{ path: 'inputs/base.tar', ...base }, ...tests];
  } catch {
    return [];
  }
}

/**
 * Removes blobs that no run refers to. Safe against a run that starts meanwhile: blobs are first hidden, and restored
 * if a run that may have seen them has started.
 */
export function sweepStore(
  runsDir: string,
  runDirs: readonly string[],
  isAnyRunning: () => boolean,
): readonly string[] {
  if (isAnyRunning()) return [];
  const store = storeDir(runsDir);
  const used = new Set(runDirs.flatMap((dir) => [dir, join(dir, CONTROL_DIR)]).flatMap(digestsOf));
  const unused = namesIn(store).filter((name) => /^[0-9a-f]{64}$/.test(name) && !used.has(name));
  const hidden = (name: string): string => join(store, `.leaving-${name}`);
  for (const name of unused) renameSync(join(store, name), hidden(name));
  if (isAnyRunning()) {
    for (const name of unused) renameSync(hidden(name), join(store, name));
    return [];
  }
  for (const name of namesIn(store)) if (name.startsWith('.leaving-')) rmSync(join(store, name), { force: true });
  return unused;
}

function digestsOf(dir: string): readonly string[] {
  try {
    return neededArchives(readFileSync(join(dir, CONTRACT_FILE))).map(({ sha256 }) => sha256);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
