import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeWhole } from '../../evidence/storage/durable.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';

/** What one inbox must hold, and what has to be journalled first. */
export interface InboxCheck {
  /** Text that an agent appended: to be journalled. Null: nothing new. */
  readonly received: string | null;
  /** The whole content that the file must have, if it lost something. Null: it is as it should be. */
  readonly restored: string | null;
}

/** Everything that was ever journalled stays; whatever stands behind it is new. Pure. */
export function checkInbox(journalled: readonly string[], content: string): InboxCheck {
  const expected = journalled.join('');
  if (content === expected) return { received: null, restored: null };
  if (content.startsWith(expected)) return { received: content.slice(expected.length), restored: null };
  // Cut off, or written over: what is there now is kept behind what was there before.
  const lost = expected.startsWith(content);
  return lost ? { received: null, restored: expected } : { received: content, restored: `${expected}${content}` };
}

/** Whole messages only: one that is still being written has no line feed at its end. */
export function readInbox(path: string): string {
  return readProtocolFile(path).replace(/[^\n]*$/, '');
}

const MAX_BYTES = 4 * 1024 * 1024;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * A file that an agent writes; a missing one is empty. So is whatever else an agent puts there: a link would show the watchdog a file that the agent
 * may not read, and a pipe would make it wait for ever.
 */
export function readProtocolFile(path: string): string {
  return withRegularFile(path, O_RDONLY, (fd) => readFileSync(fd).subarray(0, MAX_BYTES).toString('utf8')) ?? '';
}

/** Appends to a file that an agent may write too. False: something else lies there. */
export function appendProtocolFile(path: string, text: string): boolean {
  const written = withRegularFile(path, O_WRONLY | O_APPEND | O_CREAT, (fd) => {
    writeFileSync(fd, text);
    return true;
  });
  return written ?? false;
}

/** Replaces whatever lies there. */
export function replaceProtocolFile(path: string, text: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(path, { recursive: true });
    writeWhole(path, text);
  } catch (error) {
    throw new SeatrialError('blocked', `cannot restore ${path}: ${messageOf(error)}`, error);
  }
}

/** Null: there is no regular file. */
function withRegularFile<T>(path: string, flags: number, work: (fd: number) => T): T | null {
  let fd: number;
  try {
    fd = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o644);
  } catch (error) {
    if (NO_FILE.has(systemCode(error) ?? '')) return null;
    throw new SeatrialError('blocked', `cannot open ${path}: ${messageOf(error)}`, error);
  }
  try {
    return fstatSync(fd).isFile() ? work(fd) : null;
  } finally {
    closeSync(fd);
  }
}

/** Missing, a link, a pipe without a reader, a socket, a directory. */
const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']);

export function inboxMessage(time: Date, from: string, text: string): string {
  return `## ${time.toISOString()} from ${from}\n\n${text.trimEnd()}\n\n`;
}
