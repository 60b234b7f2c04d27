import { countIn, isObject, type JsonObject } from '../exchange/json.ts';
import { isInlineMedia, isMediaType } from './media.ts';
import { isReaching } from './reaching.ts';
import type { AllowedObject, AllowedValue, TaggedObject } from './shape.ts';

const MAX_NAMES = 100;
const MAX_NAME = 100;

/** How a wire spells keys. `camel`: `file_data` is read as `fileData`. */
export type Spelling = 'exact' | 'camel';

export type FilteredBody =
  | {
      readonly kind: 'allowed';
      readonly body: JsonObject;
      /** Paths of the values that were left out: `metadata`, `messages[].audio`. */
      readonly dropped: readonly string[];
      /** Values that were replaced: `store: false`. */
      readonly changed: readonly string[];
    }
  | { readonly kind: 'refused'; readonly what: string };

/** Keeps what the shape lists. */
export function filterBody(shape: AllowedObject, body: JsonObject, spelling: Spelling): FilteredBody {
  const filter = new Filter(spelling);
  const kept = filter.object(shape, body, '');
  if (filter.refused !== null) return { kind: 'refused', what: filter.refused };
  return { kind: 'allowed', body: kept, dropped: filter.dropped.list(), changed: filter.changed.list() };
}

/** A bounded set of names, since the engine chooses them. */
class Names {
  readonly #names = new Set<string>();
  #more = 0;

  add(name: string): void {
    if (this.#names.has(name)) return;
    if (this.#names.size < MAX_NAMES) this.#names.add(name);
    else this.#more += 1;
  }

  list(): readonly string[] {
    return this.#more === 0 ? [...this.#names] : [...this.#names, `and ${this.#more} more`];
  }
}

const DROPPED: unique symbol = Symbol('dropped');

class Filter {
  readonly dropped = new Names();
  readonly changed = new Names();
  readonly #spelling: Spelling;
  /** The first part of the request that refuses it. */
  refused: string | null = null;

  constructor(spelling: Spelling) {
    this.#spelling = spelling;
  }

  object(shape: AllowedObject, value: JsonObject, at: string): JsonObject {
    const kept = new Map<string, unknown>();
    for (const [given, inner] of Object.entries(value)) {
      const key = this.#spelling === 'camel' ? camel(given) : given;
      const path = (at === '' ? key : `${at}.${key}`).slice(-MAX_NAME);
      const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
      if (field === undefined) this.#unknown(shape, key, inner, path);
      else if (kept.has(key)) this.#refuse(`${path}, given twice`);
      else {
        const result = this.#value(field, inner, path);
        if (result === DROPPED) this.dropped.add(path);
        else kept.set(key, result);
      }
    }
    for (const { name, value: fixed } of shape.added)
      if (!kept.has(name)) {
        kept.set(name, fixed);
        this.changed.add(`${name}: ${fixed}`);
      }
    // Defines own properties, so that a key named `__proto__` is an ordinary one.
    return Object.fromEntries(kept);
  }

  #unknown({ refusesUnknown }: AllowedObject, key: string, value: unknown, path: string): void {
    if (refusesUnknown !== null) this.#refuse(`${refusesUnknown} ${key}`);
    else if (isReaching(key, value)) this.#refuse(path);
    else this.dropped.add(path);
  }

  #value(shape: AllowedValue, value: unknown, path: string): unknown {
    switch (shape.kind) {
      case 'plain':
        return typeof value === 'object' && value !== null ? DROPPED : value;
      // Providers that convert `"true"` or `"64000"` would not do what the gateway has read.
      case 'boolean':
        return typeof value === 'boolean' ? value : DROPPED;
      case 'count':
        return countIn(value) > 0 ? value : DROPPED;
      case 'data':
        if (isDeeper(value, MAX_DEPTH)) this.#refuse(`${path}: nested too deeply`);
        return value;
      case 'schema':
        if (isDeeper(value, MAX_DEPTH)) this.#refuse(`${path}: nested too deeply`);
        else if (hasOutsideReference(value)) this.#refuse(`${path}: a reference out of the schema`);
        return value;
      case 'data_url':
        if (typeof value !== 'string' || !isInlineMedia(value)) this.#refuse(`${path}: an address, not inline data`);
        return value;
      case 'media_type':
        if (typeof value !== 'string' || !isMediaType(value)) this.#refuse(`${path}: ${short(value)}`);
        return value;
      case 'one_of':
        return typeof value === 'string' && shape.values.includes(value) ? value : DROPPED;
      case 'fixed':
        if (value !== shape.value) this.changed.add(`${path}: ${shape.value}`);
        return shape.value;
      case 'map':
        return isObject(value) ? this.#map(shape.of, value, path) : DROPPED;
      case 'list':
        return Array.isArray(value) ? this.#list(shape.of, value, `${path}[]`) : DROPPED;
      case 'text_or':
        return typeof value === 'string' || value === null ? value : this.#value(shape.other, value, path);
      case 'object':
        return isObject(value) ? this.object(shape, value, path) : value === null ? value : DROPPED;
      case 'tagged':
        return this.#tagged(shape, value, path);
      default:
        return shape satisfies never;
    }
  }

  #map(of: AllowedValue, value: JsonObject, path: string): JsonObject {
    const entries = Object.entries(value).map(([key, inner]) => [key, this.#value(of, inner, `${path}.*`)] as const);
    if (entries.some(([, inner]) => inner === DROPPED)) this.dropped.add(`${path}.*`);
    return Object.fromEntries(entries.filter(([, inner]) => inner !== DROPPED));
  }

  #list(of: AllowedValue, values: readonly unknown[], path: string): unknown[] {
    const kept = values.map((value) => this.#value(of, value, path)).filter((value) => value !== DROPPED);
    if (kept.length < values.length) this.dropped.add(path);
    return kept;
  }

  #tagged({ part, variants, untyped }: TaggedObject, value: unknown, path: string): unknown {
    if (!isObject(value)) return DROPPED;
    const given = value['type'];
    const type = typeof given === 'string' ? withoutDate(given) : given === undefined ? untyped : null;
    const shape = type !== null && Object.hasOwn(variants, type) ? variants[type] : undefined;
    if (shape === undefined) {
      const [other] = Object.keys(value);
      this.#refuse(`${part} ${given === undefined ? (other ?? 'without a type') : short(given)}`);
      return DROPPED;
    }
    return this.object(shape, value, path);
  }

  #refuse(what: string): void {
    this.refused ??= what.slice(0, 2 * MAX_NAME);
  }
}

/** Anthropic dates its types: `bash_20250124`. */
const withoutDate = (type: string): string => type.replace(/_\d{8}$/, '');

const camel = (key: string): string => key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const short = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_NAME) : typeof value);

/** Keeps every later step, and the provider, from running out of stack. */
const MAX_DEPTH = 200;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Validators of JSON schemas fetch references that do not begin with `#`. */
function hasOutsideReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOutsideReference);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inner]) =>
    typeof inner === 'string' ? REFERENCES.includes(key) && !inner.startsWith('#') : hasOutsideReference(inner),
  );
}
