import { readFileSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';

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

/** A file that an agent writes; a missing one is empty. */
export function readProtocolFile(path: string): string {
  try {
    return readFileSync(path).subarray(0, MAX_BYTES).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

export function inboxMessage(time: Date, from: string, text: string): string {
  return `## ${time.toISOString()} from ${from}\n\n${text.trimEnd()}\n\n`;
}
