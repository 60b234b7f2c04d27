import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILLER = '.filler';

/** A disk of its own size at a directory. Needs root, and a mount namespace of our own, with which it goes at the latest. */
export class SmallDisk {
  readonly #dir: string;

  constructor(dir: string, bytes: number) {
    this.#dir = dir;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=1777`, 'seatrial-torture', dir]);
  }

  /** Leaves less than `spare` bytes. */
  fill(spare: number): void {
    const fd = openSync(join(this.#dir, FILLER), 'w');
    try {
      for (const chunk of [Buffer.alloc(1 << 20), Buffer.alloc(4096)]) writeUntilFull(fd, chunk);
    } finally {
      closeSync(fd);
    }
    if (spare > 0) execFileSync('truncate', ['--size', `-${spare}`, join(this.#dir, FILLER)]);
  }

  free(): void {
    rmSync(join(this.#dir, FILLER), { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#dir]);
  }
}

function writeUntilFull(fd: number, chunk: Buffer): void {
  try {
    while (writeSync(fd, chunk) === chunk.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
