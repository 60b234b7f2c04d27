import { keyText } from '../rule.ts';
import { plainOf, type Table, type Value } from '../value.ts';
import type { Source } from './source.ts';

/** What a dependency is for. `override`: it replaces others, wherever they are asked for. */
export type Group = 'product' | 'test' | 'build' | 'override';

export interface DependencyEntry {
  readonly name: string;
  readonly group: Group;
  /** Where it stands: `dependencies.lodash`. */
  readonly key: string;
  /** As it stands there, in one line. */
  readonly spec: string;
  readonly source: Source;
}

/** Everything that a manifest depends on. `dir`: its directory, from the root of the tree. */
export type EntryReader = (manifest: Table, dir: string) => readonly DependencyEntry[];

/** The entries of a table from names to specifications. */
export function tableEntries(
  group: Group,
  path: readonly string[],
  table: Table,
  sourceOf: (spec: Value) => Source,
  nameOf: (key: string) => string = (key) => key,
): readonly DependencyEntry[] {
  return [...table].map(([key, spec]) => ({
    name: nameOf(key),
    group,
    key: keyText([...path, key]),
    spec: specText(spec),
    source: sourceOf(spec),
  }));
}

export function specText(spec: Value): string {
  if (typeof spec === 'string') return spec;
  return JSON.stringify(plainOf(spec), (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
