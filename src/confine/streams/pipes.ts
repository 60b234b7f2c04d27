import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { runTool, runToolNow, type ToolResult } from '../processes/spawn.ts';

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;
/** Enough for two concurrent commands. */
const BATCH = 6;

export interface Pipe {
  readonly ours: Socket;
  /** The command's end; closed by `handedOver`. */
  readonly theirs: number;
  handedOver(): void;
  /** Call when no process holds either end any more. */
  giveBack(): void;
}

/** Blocks a process that reads from it until `open` is called. If the harness dies first, it stays closed. */
export interface Gate {
  readonly path: string;
  readonly theirs: number;
  handedOver(): void;
  open(): void;
  giveBack(): void;
}

/**
 * Real pipes for stdout and stderr. Node would give the command sockets, and a script that writes to /dev/stderr
 * cannot open a socket. Named pipes are created in batches and reused; their directory is never mounted. (For stdin
 * a named pipe would be worse than a socket: reopened after its writer has closed it, it blocks forever.)
 */
export class PipePool {
  readonly #dir: string;
  readonly #free: string[] = [];
  #made = 0;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async make(scratch: string): Promise<PipePool> {
    const dir = join(scratch, 'pipes');
    mkdirSync(dir, { mode: 0o700 });
    const pool = new PipePool(dir);
    const paths = pool.#newPaths();
    pool.#add(paths, await runTool('mkfifo', makeArgs(paths)));
    return pool;
  }

  open(): Pipe {
    const path = this.#take();
    const both = openSync(path, O_RDWR | O_NONBLOCK); // With both ends open, opening either one cannot block.
    const theirs = openSync(path, O_WRONLY);
    const ours = new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
    closeSync(both);
    return { ours, theirs, handedOver: () => closeSync(theirs), giveBack: () => this.#free.push(path) };
  }

  gate(): Gate {
    const path = this.#take();
    // The waiting process holds a write end too, so that it never sees end of file when ours is closed.
    const theirs = openSync(path, O_RDWR);
    const open = (): void => {
      const fd = openSync(path, O_RDWR | O_NONBLOCK);
      writeSync(fd, '.');
      closeSync(fd);
    };
    return { path, theirs, open, handedOver: () => closeSync(theirs), giveBack: () => this.#free.push(path) };
  }

  #take(): string {
    if (this.#free.length === 0) this.#grow();
    return this.#free.pop() ?? '';
  }

  /** Synchronous, because a command is just being started. */
  #grow(): void {
    const paths = this.#newPaths();
    this.#add(paths, runToolNow('mkfifo', makeArgs(paths)));
  }

  #newPaths(): string[] {
    return Array.from({ length: BATCH }, () => join(this.#dir, String(this.#made++)));
  }

  #add(paths: readonly string[], made: ToolResult): void {
    if (made.exitCode !== 0) {
      throw new Refused(reason('pipes_not_created', { dir: this.#dir, why: made.stderr.trim() }));
    }
    this.#free.push(...paths);
  }
}

/** Reopening through /proc/self/fd checks the file's own mode, so it is open to all; the directory keeps other users out. */
function makeArgs(paths: readonly string[]): string[] {
  return ['-m', '0666', ...paths];
}
