import { formsOf } from './forms.ts';
import { isCredible, type SecretShape, type ShapePart } from './shape.ts';
import { SHAPES } from './shapes.ts';
import type { KnownSecret } from './variables.ts';

/** No match at this position. */
export const NONE = -1;
/** More bytes are needed to decide. */
export const OPEN = -2;

/** Only where the byte before belongs to no word. */
export const STARTS_WORD = 1;
const STARTS_ANYWHERE = 2;

const ANY_BYTE = Array.from({ length: 0x100 }, (_, byte) => byte);
const entryOf = (pair: number, third: number): number => (pair ^ (third * 0x9d)) & 0xffff;

/** Compiled search patterns: known values in all their encodings, and well-known credential shapes. */
export class SecretPatterns {
  /**
   * For each pair of first bytes, as one number: 0, or where a match can start with them. Read for every byte, so it must be cheap.
   */
  readonly starts = new Uint8Array(0x1_0000);
  /** The same for a single first byte, used when the next byte is not available yet. */
  readonly firsts = new Uint8Array(0x100);
  /** Names of the known values. */
  readonly names: readonly string[];
  readonly #byStart = new Map<number, Pattern[]>();
  readonly #thirds = new Uint8Array(0x1_0000);

  constructor(known: readonly KnownSecret[], shapes: readonly SecretShape[] = SHAPES) {
    this.names = [...new Set(known.map(({ name }) => name))];
    for (const { name, value } of known)
      for (const form of formsOf(value)) this.#add(new ValuePattern(name, form.bytes, form.wrapped));
    for (const shape of shapes) this.#add(new ShapePattern(shape));
  }

  starting(pair: number): readonly Pattern[] {
    return this.#byStart.get(pair) ?? [];
  }

  /** False: no match starts with these three bytes. Several share one entry, so true says little. */
  mayStart(pair: number, third: number): boolean {
    return this.#thirds[entryOf(pair, third)] === 1;
  }

  #add(pattern: Pattern): void {
    const [first = 0, second = 0] = pattern.start;
    this.firsts[first] = 1;
    for (const next of pattern.wrapped ? [second, ...WHITE_SPACE] : [second]) {
      const pair = (first << 8) | next;
      this.starts[pair] = Math.max(this.starts[pair] ?? 0, pattern.insideWord ? STARTS_ANYWHERE : STARTS_WORD);
      const others = this.#byStart.get(pair);
      if (others === undefined) this.#byStart.set(pair, [pattern]);
      else others.push(pattern);
      const third = pattern.wrapped ? undefined : pattern.start[2];
      for (const byte of third === undefined ? ANY_BYTE : [third]) this.#thirds[entryOf(pair, byte)] = 1;
    }
  }
}

export interface Pattern {
  readonly name: string;
  readonly start: Buffer;
  readonly wrapped: boolean;
  readonly insideWord: boolean;
  /** End of the match that starts at `at`, `NONE`, or `OPEN` when `data` ends too early and more may follow. */
  measure(data: Buffer, at: number, before: number, final: boolean): number;
}

const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];
const MAX_GAP = 4;

class ValuePattern implements Pattern {
  readonly insideWord = true;
  readonly name: string;
  readonly start: Buffer;
  readonly wrapped: boolean;

  constructor(name: string, value: Buffer, wrapped: boolean) {
    this.name = name;
    this.start = value;
    this.wrapped = wrapped;
  }

  measure(data: Buffer, at: number, _before: number, final: boolean): number {
    const { start, wrapped } = this;
    let place = at;
    for (let index = 0; index < start.length; index += 1) {
      if (wrapped && index > 0) place = skipGap(data, place);
      if (place >= data.length) return final ? NONE : OPEN;
      if (data[place] !== start[index]) return NONE;
      place += 1;
    }
    return place;
  }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipGap(data: Buffer, from: number): number {
  let place = from;
  while (place < from + MAX_GAP && isWhiteSpace(data[place])) place += 1;
  return place;
}

class ShapePattern implements Pattern {
  readonly wrapped = false;
  readonly name: string;
  readonly start: Buffer;
  readonly insideWord: boolean;
  readonly #shape: SecretShape;

  constructor(shape: SecretShape) {
    const [first] = shape.parts;
    this.name = shape.name;
    this.start = first?.kind === 'fixed' ? first.bytes : Buffer.alloc(0);
    this.insideWord = shape.insideWord;
    this.#shape = shape;
  }

  measure(data: Buffer, at: number, before: number, final: boolean): number {
    const { parts, insideWord, isGeneric } = this.#shape;
    if (isWordByte(before) && !insideWord) return NONE;
    let place = at;
    let lastStart = at + this.start.length;
    for (const part of parts) {
      if (part.kind === 'run') lastStart = place;
      place = measurePart(part, data, place, final);
      if (place < 0) return place;
    }
    const last = parts.at(-1);
    if (last?.kind === 'run' && last.least === last.most) {
      if (place === data.length && !final) return OPEN;
      if (last.of[data[place] ?? 0] === 1 || isWordByte(data[place] ?? 0)) return NONE;
    }
    const found = data.toString('latin1', isGeneric ? lastStart : at + this.start.length, place);
    return isCredible(found, isGeneric) ? place : NONE;
  }
}

function measurePart(part: ShapePart, data: Buffer, at: number, final: boolean): number {
  let place = at;
  if (part.kind === 'fixed') {
    for (let index = 0; index < part.bytes.length; index += 1, place += 1) {
      if (place >= data.length) return final ? NONE : OPEN;
      if (data[place] !== part.bytes[index]) return NONE;
    }
    return place;
  }
  const limit = at + part.most;
  while (place < limit && place < data.length && part.of[data[place] ?? 0] === 1) place += 1;
  if (place === data.length && place < limit && !final) return OPEN;
  return place - at < part.least ? NONE : place;
}

export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte === 0x2d
  );
}
