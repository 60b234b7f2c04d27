/*
 * Git's index by hand, for the same reasons as packs: version 2, without extensions and without file times, as after `git read-tree`. Git checks each
 * file itself on first use.
 */
import { createHash } from 'node:crypto';
import type { Leaf } from '../tree/compare.ts';
import { modeOf } from './objects.ts';
import { uint32 } from './pack.ts';

const HEAD_BYTES = 12;
const COUNT_AT = 8;
const MODE_AT = 24;
const ID_AT = 40;
const LENGTH_AT = 60;
const NAME_AT = 62;
const LONGEST_COUNTED = 0xfff;
const DIGEST_BYTES = 20;

export function makeIndex(leaves: readonly Leaf[], idOf: (leaf: Leaf) => string): Buffer {
  const sorted = leaves.toSorted((a, b) => Buffer.compare(a.path, b.path));
  return sealIndex(
    sorted.length,
    sorted.map((leaf) => indexEntry(leaf, idOf(leaf))),
  );
}

/** The index of a tree that differs from that of another index in few leaves; null: it has none there. */
export function changeIndex(
  index: Buffer,
  changes: readonly { readonly path: Buffer; readonly after: Leaf | null; readonly id: string }[],
): Buffer {
  const starts = entryStarts(index);
  const parts: Buffer[] = [];
  let count = starts.length - 1;
  let copied = 0;
  for (const { path, after, id } of changes.toSorted((a, b) => Buffer.compare(a.path, b.path))) {
    const { at, isThere } = placeIn(index, starts, path);
    parts.push(index.subarray(starts[copied], starts[at]));
    copied = isThere ? at + 1 : at;
    if (after !== null) parts.push(indexEntry(after, id));
    count += (after === null ? 0 : 1) - (isThere ? 1 : 0);
  }
  parts.push(index.subarray(starts[copied], starts.at(-1)));
  return sealIndex(count, parts);
}

function sealIndex(count: number, entries: readonly Buffer[]): Buffer {
  const head = [Buffer.from('DIRC'), uint32(2), uint32(count)];
  const hash = createHash('sha1');
  for (const part of [...head, ...entries]) hash.update(part);
  return Buffer.concat([...head, ...entries, hash.digest()]);
}

const entryBytes = (nameBytes: number): number => (NAME_AT + nameBytes + 8) & ~7;

function indexEntry(leaf: Leaf, id: string): Buffer {
  const entry = Buffer.alloc(entryBytes(leaf.path.length));
  entry.writeUInt32BE(Number.parseInt(modeOf(leaf), 8), MODE_AT);
  entry.write(id, ID_AT, 'hex');
  entry.writeUInt16BE(Math.min(leaf.path.length, LONGEST_COUNTED), LENGTH_AT);
  leaf.path.copy(entry, NAME_AT);
  return entry;
}

/** Where each entry starts, and where the last one ends. */
function entryStarts(index: Buffer): Uint32Array {
  const starts = new Uint32Array(index.readUInt32BE(COUNT_AT) + 1);
  let start = HEAD_BYTES;
  for (let at = 0; at < starts.length; at += 1) {
    starts[at] = start;
    if (start < index.length - DIGEST_BYTES) start += entryBytes(nameEnd(index, start) - start - NAME_AT);
  }
  return starts;
}

function nameEnd(index: Buffer, start: number): number {
  const counted = index.readUInt16BE(start + LENGTH_AT) & LONGEST_COUNTED;
  return counted < LONGEST_COUNTED ? start + NAME_AT + counted : index.indexOf(0, start + NAME_AT);
}

const nameOf = (index: Buffer, start: number): Buffer => index.subarray(start + NAME_AT, nameEnd(index, start));

function placeIn(index: Buffer, starts: Uint32Array, path: Buffer): { readonly at: number; readonly isThere: boolean } {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(nameOf(index, starts[middle] ?? 0), path) < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, isThere: low < starts.length - 1 && nameOf(index, starts[low] ?? 0).equals(path) };
}
