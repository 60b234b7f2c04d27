import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { CONTROL_DIR } from '../../evidence/bundle/bundle.ts';
import { readRun } from '../../evidence/bundle/runs.ts';
import { neededArchives, type NeededArchive, storeBeside } from '../../evidence/bundle/store.ts';
import { CONTRACT_FILE } from '../../evidence/log/required-events.ts';
import { syncDir } from '../../evidence/storage/durable.ts';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { namesBelow, packTreeUnless, type Packed } from '../../task/tree/archive.ts';

/**
 * Writes a bundle to one tar file with every archive that it refers to in the store, laid out as a runs directory: unpacked anywhere,
 * it can be verified and judged again. The file appears under its name when it is complete, and nothing is left of one that could not be
 * completed. Several may be written to one place at the same time.
 */
export async function exportBundle(bundleDir: string, file: string, signal: AbortSignal): Promise<Packed> {
  const { report, fault, state } = readRun(bundleDir);
  if (report === null) throw new SeatrialError('evidence', fault ?? `the report of ${bundleDir} cannot be read`);
  if (state === 'running')
    throw new SeatrialError('usage', `${report.run_id} is still running; export it when it has ended`);
  const runsDir = dirname(bundleDir);
  const stored = new Set(storedArchives(bundleDir).map((path) => relative(runsDir, path)));
  const names = [
    ...namesBelow(runsDir, Buffer.from(basename(bundleDir))),
    ...(stored.size === 0 ? [] : [Buffer.from(relative(runsDir, storeBeside(bundleDir)))]),
    ...[...stored].toSorted().map((name) => Buffer.from(name)),
  ];
  const unfinished = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  try {
    // The rename would replace a device.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    const packed = await packTreeUnless(signal, runsDir, unfinished, names);
    syncDir(unfinished);
    signal.throwIfAborted();
    renameSync(unfinished, file);
    return packed;
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (signal.aborted) throw new SeatrialError('blocked', `interrupted; ${file} was not written`, error);
    throw new SeatrialError('evidence', `cannot write ${file}: ${messageOf(error)}`, error);
  }
}

/** Paths in the store of the archives that a bundle and its control do not hold themselves. */
function storedArchives(bundleDir: string): readonly string[] {
  return [bundleDir, join(bundleDir, CONTROL_DIR)].flatMap((dir) =>
    neededArchives(contractIn(dir)).flatMap((archive) => {
      if (existsSync(join(dir, archive.path))) return [];
      const path = join(storeBeside(dir), archive.sha256);
      checkArchive(path, archive, bundleDir);
      return [path];
    }),
  );
}

function contractIn(dir: string): Buffer | null {
  return existsSync(join(dir, CONTRACT_FILE)) ? readFileSync(join(dir, CONTRACT_FILE)) : null;
}

function checkArchive(path: string, { sha256, path: name }: NeededArchive, bundleDir: string): void {
  if (!existsSync(path))
    throw new SeatrialError('evidence', `${name} of ${bundleDir} is missing: neither the bundle nor ${path} holds it`);
  if (digestFile(path).sha256 !== sha256)
    throw new SeatrialError('evidence', `${path} is not what the contract of ${bundleDir} names: it was changed`);
}
