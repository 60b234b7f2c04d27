import { randomInt } from 'node:crypto';
import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';

/** The unprivileged user that commands run as. */
export interface UserIdentity {
  readonly uid: number;
  readonly gid: number;
}

const PREFERRED_FIRST = 1_000_000_000;
const PREFERRED_COUNT = 2 ** 24;

/**
 * A user id of its own: the kernel counts processes per user, so concurrent runs must not share one. Takes the
 * text of `/proc/self/uid_map`, because a container may map only some ids. Null: no id is free.
 */
export function pickUid(uidMap: string, random: (below: number) => number): number | null {
  const ranges = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first: Math.max(first, 1), end: first + count }));
  if (ranges.some(({ first, end }) => first <= PREFERRED_FIRST && end >= PREFERRED_FIRST + PREFERRED_COUNT)) {
    return PREFERRED_FIRST + random(PREFERRED_COUNT);
  }
  const widest = ranges.reduce((best, range) => (range.end - range.first > best.end - best.first ? range : best));
  const spare = Math.floor((widest.end - widest.first) / 2);
  return spare < 1 ? null : widest.end - 1 - random(spare);
}

/** Null: the caller is not root and keeps its user id. */
export function chooseIdentity(): UserIdentity | null {
  if (process.getuid?.() !== 0) return null;
  const uid = pickUid(readFileSync('/proc/self/uid_map', 'utf8'), (below) => randomInt(below));
  return uid === null ? null : { uid, gid: uid };
}

/**
 * Gives a tree to `owner` without ever following a link. Names are bytes here: not every one is text. What is theirs already is
 * left alone, so that its change time tells who wrote it last.
 */
export function giveTree(path: string, owner: UserIdentity): void {
  const visit = (name: Buffer, isDir: boolean): void => {
    const { uid, gid } = lstatSync(name);
    if (uid !== owner.uid || gid !== owner.gid) lchownSync(name, owner.uid, owner.gid);
    if (!isDir) return;
    for (const entry of readdirSync(name, { withFileTypes: true, encoding: 'buffer' })) {
      visit(Buffer.concat([name, Buffer.from('/'), entry.name]), entry.isDirectory());
    }
  };
  visit(Buffer.from(path), lstatSync(path).isDirectory());
}
