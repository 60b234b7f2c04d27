import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Sandboxed } from '../../../confine/types.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { collect } from './bounded.ts';
import type { CallDirs } from './layout.ts';

export const CALL_LIMITS = {
  argvBytes: 128 * 1024,
  stdinBytes: 32 * 1024 * 1024,
  outputBytes: 8 * 1024 * 1024,
} as const;

/** Exit code of `subject` if the call itself failed, not the program. */
const CALL_FAILED = 125;
const CALL_NAME = /^\d[\d.]{0,60}$/;

/**
 * Runs programs for a test script, each in a sandbox of its own. `wire` carries the names of calls; arguments, input and
 * results lie in the directories. Everything in the request directory was written inside, so no link there is followed.
 */
export class SubjectCalls {
  readonly #dirs: CallDirs;
  readonly #start: (argv: readonly string[]) => Sandboxed;
  readonly #running = new Map<Sandboxed, Promise<void>>();
  #closed = false;

  constructor(wire: Readable, dirs: CallDirs, start: (argv: readonly string[]) => Sandboxed) {
    this.#dirs = dirs;
    this.#start = start;
    createInterface({ input: wire }).on('line', (name) => {
      if (CALL_NAME.test(name) && !this.#closed) this.#call(name);
    });
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const sandbox of this.#running.keys()) sandbox.kill();
    await Promise.all(this.#running.values());
  }

  #call(name: string): void {
    try {
      const argv = this.#read(`${name}.argv`, CALL_LIMITS.argvBytes).toString('utf8').split('\0').slice(0, -1);
      const input = this.#read(`${name}.in`, CALL_LIMITS.stdinBytes);
      // The shell gives a program that is not there or not executable the exit code that a script expects.
      const sandbox = this.#start(['sh', '-c', 'exec "$@"', 'subject', ...argv]);
      sandbox.stdin.end(input);
      this.#running.set(sandbox, this.#bringBack(name, sandbox));
    } catch (error) {
      this.#answer(name, { code: CALL_FAILED, stdout: '', stderr: `subject: ${messageOf(error)}\n` });
    }
  }

  async #bringBack(name: string, sandbox: Sandboxed): Promise<void> {
    const [stdout, stderr, end] = await Promise.all([
      collect(sandbox.stdout, CALL_LIMITS.outputBytes),
      collect(sandbox.stderr, CALL_LIMITS.outputBytes),
      sandbox.ended,
    ]);
    this.#running.delete(sandbox);
    if (this.#closed) return;
    if (end.kind === 'exited') this.#answer(name, { code: end.exitCode, stdout, stderr });
    else
      this.#answer(name, {
        code: CALL_FAILED,
        stdout,
        stderr: `subject: the program did not end by itself: ${end.kind}\n`,
      });
  }

  #answer(name: string, result: { code: number; stdout: string | Buffer; stderr: string | Buffer }): void {
    writeFileSync(join(this.#dirs.results, `${name}.out`), result.stdout, { mode: 0o644 });
    writeFileSync(join(this.#dirs.results, `${name}.err`), result.stderr, { mode: 0o644 });
    const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    let pipe: number;
    try {
      pipe = openSync(join(this.#dirs.requests, `${name}.end`), O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
    } catch {
      return; // The script has given the call up.
    }
    try {
      if (fstatSync(pipe).isFIFO()) writeSync(pipe, `${result.code}\n`);
    } finally {
      closeSync(pipe);
    }
  }

  #read(name: string, maxBytes: number): Buffer {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const file = openSync(join(this.#dirs.requests, name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) throw new Error(`${name} is not a file`);
      if (stat.size > maxBytes) throw new Error(`${name} has more than ${maxBytes} bytes`);
      const content = Buffer.alloc(stat.size);
      return content.subarray(0, readSync(file, content));
    } finally {
      closeSync(file);
    }
  }
}
