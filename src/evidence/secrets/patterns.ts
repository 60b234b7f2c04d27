import { formsOf } from './forms.ts';
import { isCredible, type ShapePart, type SecretShape, SHAPES } from './shapes.ts';
import type { KnownSecret } from './variables.ts';

/** No match at this position. */
export const NONE = -1;
/** More bytes are needed to decide. */
export const OPEN = -2;

/** Compiled search patterns: known values in all their encodings, and well-known credential shapes. */
export class SecretPatterns {
  /**
   * 1 for each pair of first bytes, as one number, that can start a match. Read for every byte, so it must be cheap.
   */
  readonly starts = new Uint8Array(0x1_0000);
  /** The same for a single first byte, used when the next byte is not available yet. */
  readonly firsts = new Uint8Array(0x100);
  /** Names of the known values. */
  readonly names: readonly string[];
  readonly #byStart = new Map<number, Pattern[]>();

  constructor(known: readonly KnownSecret[], shapes: readonly SecretShape[] = SHAPES) {
    this.names = [...new Set(known.map(({ name }) => name))];
    for (const { name, value } of known)
      for (const form of formsOf(value)) this.#add(new ValuePattern(name, form.bytes, form.wrapped));
    for (const shape of shapes) this.#add(new ShapePattern(shape));
  }

  starting(pair: number): readonly Pattern[] {
    return this.#byStart.get(pair) ?? [];
  }

  #add(pattern: Pattern): void {
    const [first = 0, second = 0] = pattern.start;
    this.firsts[first] = 1;
    for (const next of pattern.wrapped ? [second, ...WHITE_SPACE] : [second]) {
      const pair = (first << 8) | next;
      this.starts[pair] = 1;
      const others = this.#byStart.get(pair);
      if (others === undefined) this.#byStart.set(pair, [pattern]);
      else others.push(pattern);
    }
  }
}

export interface Pattern {
  readonly name: string;
  readonly start: Buffer;
  readonly wrapped: boolean;
  /** End of the match that starts at `at`, `NONE`, or `OPEN` when `data` ends too early and more may follow. */
  measure(data: Buffer, at: number, before: number, final: boolean): number;
}

const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];
const MAX_GAP = 4;

class ValuePattern implements Pattern {
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
  readonly #shape: SecretShape;

  constructor(shape: SecretShape) {
    const [first] = shape.parts;
    this.name = shape.name;
    this.start = first?.kind === 'fixed' ? first.bytes : Buffer.alloc(0);
    this.#shape = shape;
  }

  measure(data: Buffer, at: number, before: number, final: boolean): number {
    if (isWordByte(before)) return NONE;
    let place = at;
    for (const part of this.#shape.parts) {
      place = measurePart(part, data, place, final);
      if (place < 0) return place;
    }
    if (this.#shape.exact) {
      if (place === data.length && !final) return OPEN;
      if (isWordByte(data[place] ?? 0)) return NONE;
    }
    return isCredible(data.toString('latin1', at + this.start.length, place)) ? place : NONE;
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

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte === 0x2d
  );
}
