import { lstatSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../storage/remove-tree.ts';
import { type ProcessTable, systemProcesses } from './running.ts';

const NAME = /^seatrial-[a-z]+-(\d+)-(\d+)-(\d+)-\w{6}$/;

const namespaceOf = (table: ProcessTable): string => /\d+/.exec(table.pidNamespace)?.[0] ?? '0';

/** A directory for one command's temporary files. Its name says which process it is of, so that what a killed one leaves can be told. */
export function makeTemporary(purpose: string, table: ProcessTable = systemProcesses): string {
  const owner = [process.pid, table.startedOf(process.pid) ?? '0', namespaceOf(table)];
  return mkdtempSync(join(tmpdir(), `seatrial-${purpose}-${owner.join('-')}-`));
}

/** Removes what commands of this user left that were killed. Directories of processes that cannot be seen from here stay. */
export async function removeAbandoned(parent = tmpdir(), table: ProcessTable = systemProcesses): Promise<void> {
  for (const name of readdirSync(parent)) {
    const [, pid, started, namespace] = NAME.exec(name) ?? [];
    if (pid === undefined || namespace !== namespaceOf(table) || table.startedOf(Number(pid)) === started) continue;
    const path = join(parent, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true && stat.uid === process.getuid?.()) await removeTree(path);
  }
}
