import { fstatSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { asError, systemCode } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';

/**
 * What a command prints on standard output. `result`: it is what the command was called for (`--json`, lists, keys), so losing it is
 * an error. `account`: words about a verdict that the exit code carries and, for a run, the bundle keeps.
 */
export type Printed = 'result' | 'account';

/** The command's own output streams, from here on without a way to end the command or to change its exit code unnoticed. */
export interface GuardedOutput {
  /** Waits until all that was printed is written or lost. Gives why standard output could not be written, or null. */
  settled(): Promise<Error | null>;
}

/**
 * A stream without a listener for errors ends the process in the middle of what it does: a closed pipe or a full disk would kill a
 * run. Errors of standard error are dropped, because there is nowhere left to report them.
 */
export function guardOutput(): GuardedOutput {
  let lost: Error | null = null;
  process.stdout.on('error', (error) => {
    lost ??= error;
  });
  process.stderr.on('error', () => {});
  for (const stream of [process.stdout, process.stderr]) writeWholeChunks(stream, stream.fd);
  return {
    settled: async () => {
      await Promise.all([process.stdout, process.stderr].map(drained));
      return lost;
    },
  };
}

/** Node makes one system call a chunk and does not notice when a full disk takes only a part of it. */
function writeWholeChunks(stream: Writable, fd: number): void {
  if (!isFile(fd)) return;
  // oxlint-disable-next-line eslint/no-underscore-dangle -- the name that node gives this port
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(fd, chunk);
      done();
    } catch (error) {
      done(asError(error));
    }
  };
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

const drained = (stream: Writable): Promise<void> => new Promise((resolve) => stream.write('', () => resolve()));

/** A reader that has seen enough (`seatrial runs | head`) lost nothing that it wanted. */
export const readerWentAway = (error: Error): boolean => systemCode(error) === 'EPIPE';

/** The command's own exit code, unless it says that all is well about a result that never arrived. */
export function exitCodeAfter(code: ExitCode, lost: Error | null, printed: Printed): ExitCode {
  const missing = lost !== null && !readerWentAway(lost) && printed === 'result';
  return code === EXIT.pass && missing ? EXIT.outputLost : code;
}
