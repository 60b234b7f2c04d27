import { EMPTY, isTable, sameValue, type Table, type Value } from './value.ts';

/** Where a value comes from. */
export type Side = 'base' | 'patch';

/** Who has the vote on a key. */
export type Rule =
  | Side
  /**
   * Changes how product and tests alike are read (`type` of a package.json, a crate's edition): the base's, and the patch's in
   * a second judging.
   */
  | 'contested'
  | { readonly kind: 'table'; readonly of: (key: string) => Rule }
  | { readonly kind: 'mixed'; readonly mix: (base: Value | undefined, patch: Value | undefined) => Value | undefined };

export const byKey = (of: (key: string) => Rule): Rule => ({ kind: 'table', of });

/** A table whose keys are known; all others are the base's. */
export function knownKeys(...rules: readonly KeyRule[]): Rule {
  const known = new Map(rules);
  return byKey((key) => known.get(key) ?? 'base');
}

export type KeyRule = readonly [key: string, rule: Rule];

export const each = (keys: readonly string[], rule: Rule): readonly KeyRule[] => keys.map((key) => [key, rule]);

/** A list of keys, as one text. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export interface Votes {
  /** Keys that the patch changed and that count. */
  readonly fromPatch: readonly string[];
  /** Keys that the patch changed without effect. */
  readonly fromBase: readonly string[];
  /** Those of `fromBase` that a second judging takes from the patch. */
  readonly contested: readonly string[];
}

export interface RuledTable extends Votes {
  readonly table: Table;
}

/** `contested`: which side such keys come from. */
export function applyRule(rule: Rule, base: Table, patch: Table, contested: Side): RuledTable {
  const votes: Record<keyof Votes, string[]> = { fromPatch: [], fromBase: [], contested: [] };
  const merged = merge({ rule, path: [], base, patch });
  return { table: isTable(merged) ? merged : EMPTY, ...votes };

  function merge(at: Place): Value | undefined {
    if (typeof at.rule === 'object' && at.rule.kind === 'table' && mayBeTable(at.base) && mayBeTable(at.patch)) {
      return mergeTable(at, at.rule.of);
    }
    if (sameValue(at.base, at.patch)) return at.base;
    const key = keyText(at.path);
    if (at.rule === 'patch') {
      votes.fromPatch.push(key);
      return at.patch;
    }
    if (at.rule === 'contested') {
      votes.contested.push(key);
      (contested === 'patch' ? votes.fromPatch : votes.fromBase).push(key);
      return contested === 'patch' ? at.patch : at.base;
    }
    const mixed = typeof at.rule === 'object' && at.rule.kind === 'mixed' ? at.rule.mix(at.base, at.patch) : at.base;
    if (!sameValue(mixed, at.base)) votes.fromPatch.push(key);
    if (!sameValue(mixed, at.patch)) votes.fromBase.push(key);
    return mixed;
  }

  function mergeTable(at: Place, of: (key: string) => Rule): Value | undefined {
    const [ours, theirs] = [at.base, at.patch].map((value) => (isTable(value) ? value : EMPTY));
    const entries = [...new Set([...(ours ?? EMPTY).keys(), ...(theirs ?? EMPTY).keys()])].flatMap(
      (key): readonly (readonly [string, Value])[] => {
        const value = merge({
          rule: of(key),
          path: [...at.path, key],
          base: ours?.get(key),
          patch: theirs?.get(key),
        });
        return value === undefined ? [] : [[key, value]];
      },
    );
    // A table that only one side has is there if something of it is. Where the base's was empty, nothing of it is gone.
    const isGone = at.base === undefined || (at.patch === undefined && (ours ?? EMPTY).size > 0);
    if (entries.length === 0 && isGone) return undefined;
    return new Map(entries);
  }
}

interface Place {
  readonly rule: Rule;
  readonly path: readonly string[];
  readonly base: Value | undefined;
  readonly patch: Value | undefined;
}

const mayBeTable = (value: Value | undefined): boolean => value === undefined || isTable(value);

/** As TOML writes a key: `scripts.test`, `exports."./x.js"`. */
export function keyText(path: readonly string[]): string {
  return path.map((key) => (/^[\w@/:*-]+$/.test(key) ? key : JSON.stringify(key))).join('.');
}
