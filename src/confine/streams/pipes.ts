import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { runTool, runToolNow, type ToolResult } from '../processes/spawn.ts';

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;
/** Enough for two commands at a time. */
const BATCH = 6;

export interface Pipe {
  readonly ours: Socket;
  /** For the command; closed by `handedOver`. */
  readonly theirs: number;
  handedOver(): void;
  /** When nobody can hold either end any more. */
  giveBack(): void;
}

/** Holds a process back that reads from it, until it is opened. If the harness dies first, it is never opened. */
export interface Gate {
  readonly path: string;
  readonly theirs: number;
  handedOver(): void;
  open(): void;
  giveBack(): void;
}

/**
 * Real pipes for stdout and stderr. Node would give the command sockets, and a script that writes to /dev/stderr
 * cannot open a socket. Named pipes are made in batches and used again; their folder is never shown inside. (For stdin
 * a named pipe would be worse than a socket: opened again after its writer has left, it blocks for ever.)
 */
export class PipePool {
  readonly #folder: string;
  readonly #free: string[] = [];
  #made = 0;

  private constructor(dir: string) {
    this.#folder = dir;
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
    // Whoever waits is a writer as well, so that no end of ours can be an end of file to it.
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

  /** In the middle of a start there is no waiting for more. */
  #grow(): void {
    const paths = this.#newPaths();
    this.#add(paths, runToolNow('mkfifo', makeArgs(paths)));
  }

  #newPaths(): string[] {
    return Array.from({ length: BATCH }, () => join(this.#folder, String(this.#made++)));
  }

  #add(paths: readonly string[], made: ToolResult): void {
    if (made.exitCode !== 0) {
      throw new SeatrialError('blocked', `no pipes could be made in ${this.#folder}: ${made.stderr.trim()}`);
    }
    this.#free.push(...paths);
  }
}

/** Reopening through /proc/self/fd asks for the file's own permission; the folder keeps everybody else out. */
function makeArgs(paths: readonly string[]): string[] {
  return ['-m', '0666', ...paths];
}
