import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { systemCode } from '../../kernel/errors.ts';
import { CONTROL_DIR } from './create.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import { count, sha256Hex } from '../schema/parts.ts';

const archive = z.object({ sha256: sha256Hex, bytes: count });
/** As much of a contract as says which archives a run needs; each lies in the bundle, or else in the store. */
const archivesOfContract = z.object({ base: archive, sealed_tests: z.nullable(archive) });

export interface NeededArchive {
  /** Where it lies if it is in the bundle. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export const storeDir = (runsDir: string): string => join(runsDir, 'store');

/** The store that a bundle, or the control inside one, refers to. */
export function storeBeside(dir: string): string {
  return storeDir(dirname(basename(dir) === CONTROL_DIR ? dirname(dir) : dir));
}

/** The archives that a contract names; none if it cannot be read. */
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
 * Removes blobs that no run refers to. A run that starts meanwhile is safe: blobs are first moved out of sight, and put
 * back if anyone was already there to have seen them.
 */
export function sweepStore(
  runsDir: string,
  runDirs: readonly string[],
  anyoneRunning: () => boolean,
): readonly string[] {
  if (anyoneRunning()) return [];
  const folder = storeDir(runsDir);
  const used = new Set(runDirs.flatMap((dir) => [dir, join(dir, CONTROL_DIR)]).flatMap(digestsOf));
  const unused = namesIn(folder).filter((name) => /^[0-9a-f]{64}$/.test(name) && !used.has(name));
  const hidden = (name: string): string => join(folder, `.leaving-${name}`);
  for (const name of unused) renameSync(join(folder, name), hidden(name));
  if (anyoneRunning()) {
    for (const name of unused) renameSync(hidden(name), join(folder, name));
    return [];
  }
  for (const name of namesIn(folder)) if (name.startsWith('.leaving-')) rmSync(join(folder, name), { force: true });
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
