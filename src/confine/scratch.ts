import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporary } from '../evidence/bundle/temporary.ts';

/** Short, because socket paths below it are limited to 108 bytes. Chosen before it is created, so that it can be cleaned up after a crash. */
export function nameScratch(parent = tmpdir()): string {
  return join(parent, `seatrial-${randomBytes(4).toString('hex')}`);
}

/**
 * A directory for all temporary files of a run, outside every bundle. When root drops to another user, that user must
 * be able to traverse it, but not to list it.
 */
export function makeScratch(scratch = nameScratch()): string {
  mkdirSync(scratch, { mode: 0o700 });
  return letThrough(scratch);
}

/** The same for a command that keeps no bundle: `runs recover` removes what a killed one leaves. */
export function makeCommandScratch(purpose: string): string {
  return letThrough(makeTemporary(purpose));
}

function letThrough(scratch: string): string {
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  return scratch;
}
