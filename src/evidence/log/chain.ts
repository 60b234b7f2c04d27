import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { messageOf } from '../../kernel/errors.ts';

/**
 * Hash-chained lines, used by events and the ledger. A line is the value's canonical JSON with its hash appended as the
 * last member: `{…,"hash":"<sha256 of the line without this member>"}`; `prev` is the hash of the preceding line.
 */
export interface Link {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
}

const HASH_MEMBER = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_MEMBER_LENGTH = ',"hash":""}'.length + 64;

export function linkLine(body: object): { readonly line: string; readonly hash: string } {
  const text = canonicalJson(body);
  const hash = sha256(text);
  return { hash, line: `${text.slice(0, -1)},"hash":"${hash}"}\n` };
}

interface ChainFault {
  /** 1-based line number. */
  readonly line: number;
  readonly text: string;
  /** The file ends inside this line, as after a crash during a write. */
  readonly torn: boolean;
}

export interface DecodedChain<T> {
  /** Values up to the first fault. */
  readonly entries: readonly T[];
  readonly head: string;
  readonly fault: ChainFault | null;
  /** Total length of the valid lines in bytes. */
  readonly goodBytes: number;
}

/** Where a chain was read to before. */
export interface ChainPosition {
  readonly seq: number;
  readonly head: string;
}

/** Reads and checks a chain, or what follows a known part of it, stopping at the first invalid line. `decode` throws on a bad value. */
export function decodeChain<T extends Link>(
  bytes: Buffer,
  decode: (value: unknown) => T,
  after: ChainPosition = { seq: 0, head: ZERO_DIGEST },
): DecodedChain<T> {
  const entries: T[] = [];
  let { head } = after;
  let start = 0;
  const faultAt = (text: string, torn: boolean): DecodedChain<T> => ({
    entries,
    head,
    goodBytes: start,
    fault: { line: after.seq + entries.length + 1, text, torn },
  });
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) return faultAt('ends in the middle of a line', true);
    try {
      const entry = decodeLine(bytes.toString('utf8', start, end), decode);
      const seq = after.seq + entries.length;
      if (entry.seq !== seq) return faultAt(`seq is ${entry.seq}, not ${seq}`, false);
      if (entry.prev !== head) return faultAt('does not follow from the previous line (prev differs)', false);
      entries.push(entry);
      head = entry.hash;
    } catch (error) {
      return faultAt(messageOf(error), false);
    }
    start = end + 1;
  }
  return { entries, head, goodBytes: start, fault: null };
}

function decodeLine<T>(line: string, decode: (value: unknown) => T): T {
  const stated = HASH_MEMBER.exec(line)?.[1];
  if (stated === undefined) throw new TypeError('does not end in its hash');
  const body = `${line.slice(0, -HASH_MEMBER_LENGTH)}}`;
  if (sha256(body) !== stated) throw new TypeError('content does not match its hash');
  const value: unknown = JSON.parse(body);
  if (typeof value !== 'object' || value === null) throw new TypeError('is not an object');
  if (!isCanonical(value, body)) throw new TypeError('is not in canonical form');
  return decode({ ...value, hash: stated });
}

/** With sorted keys, what JSON.stringify gives is canonical: that is a fraction of the work. Keys that look like numbers are sorted otherwise. */
function isCanonical(value: unknown, text: string): boolean {
  return (hasSortedKeys(value) && JSON.stringify(value) === text) || canonicalJson(value) === text;
}

function hasSortedKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  let before: string | null = null;
  for (const [key, inner] of Object.entries(value)) {
    if (before !== null && before >= key) return false;
    if (!hasSortedKeys(inner)) return false;
    before = key;
  }
  return true;
}
