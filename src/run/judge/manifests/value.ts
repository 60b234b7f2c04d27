import { TomlDate } from 'smol-toml';

/** What a manifest holds, whatever its format. Tables are maps: a key like `__proto__` is a key like any other. */
export type Value = string | number | bigint | boolean | null | TomlDate | readonly Value[] | Table;
export type Table = ReadonlyMap<string, Value>;

export const EMPTY: Table = new Map();

export function isTable(value: Value | undefined): value is Table {
  return value instanceof Map;
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** A table below a table; an empty one where there is none. */
export function tableAt(table: Table, ...keys: readonly string[]): Table {
  let at = table;
  for (const key of keys) {
    const next = at.get(key);
    if (!isTable(next)) return EMPTY;
    at = next;
  }
  return at;
}

/** The texts of a list; what is no text is left out. */
export function textsOf(value: Value | undefined): readonly string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The tables of a list; what is no table is left out. */
export function tablesOf(value: Value | undefined): readonly Table[] {
  return isList(value) ? value.filter(isTable) : [];
}

/** A text; empty for all else. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function textAt(table: Table, key: string): string | null {
  const value = table.get(key);
  return typeof value === 'string' ? value : null;
}

/** In the same order too: conditions of `exports` are tried from the top. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof TomlDate && b instanceof TomlDate) return a.toISOString() === b.toISOString();
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, index) => sameValue(one, b[index]));
  if (isTable(a) && isTable(b)) {
    const others = [...b];
    return (
      a.size === b.size &&
      [...a].every(([key, value], index) => others[index]?.[0] === key && sameValue(value, others[index]?.[1]))
    );
  }
  return Object.is(a, b);
}

/** Deeper values would exhaust the stack of what compares and writes them. */
export const MAX_DEPTH = 100;

/** The value that a parser gave, as plain objects. Throws a `RangeError` where it nests too deep. */
export function valueOf(parsed: unknown, depth = 0): Value {
  if (depth > MAX_DEPTH) throw new RangeError(`nests deeper than ${MAX_DEPTH} levels`);
  if (parsed === null || parsed instanceof TomlDate) return parsed;
  switch (typeof parsed) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return parsed;
    case 'object':
      return Array.isArray(parsed) ? parsed.map((one) => valueOf(one, depth + 1)) : tableOf(parsed, depth);
    default:
      throw new TypeError(`a manifest holds no ${typeof parsed}`);
  }
}

export function tableOf(parsed: object, depth = 0): Table {
  return new Map(Object.entries(parsed).map(([key, value]) => [key, valueOf(value, depth + 1)]));
}

/** The way back, for a writer. `fromEntries` stores `__proto__` like any other key. */
export function plainOf(value: Value): unknown {
  if (isList(value)) return value.map(plainOf);
  return isTable(value) ? Object.fromEntries([...value].map(([key, one]) => [key, plainOf(one)])) : value;
}
