import { posix } from 'node:path';
import { type DependencyChange, dependencyChanges } from './dependencies/changes.ts';
import type { DependencyEntry } from './dependencies/entry.ts';
import type { Reading } from './formats/format.ts';
import { type ManifestKind, MANIFESTS } from './manifest.ts';
import { applyRule, type RuledTable, type Side, type Votes } from './rule.ts';
import type { RuleFacts } from './rules/rule-maker.ts';
import { toolTest } from './test-tools.ts';
import { EMPTY, sameValue } from './value.ts';

export interface ManifestRequest {
  readonly kind: ManifestKind;
  /** From the root of the tree. */
  readonly path: string;
  /** Null: the base has no such file. */
  readonly base: string | null;
  /** Null: the patch deletes it. */
  readonly patch: string | null;
  /**
   * Packages that the base's tests use, beside those in this file's own lists for development: `treeTestTools` and what its
   * test files import. A patch can neither bring another version of them nor take their name.
   */
  readonly testTools: ReadonlySet<string>;
  /** Packages that code of the product loads since the patch. A new one is its dependency, in whatever list it stands. */
  readonly loaded?: ReadonlySet<string>;
}

export interface ManifestMerge extends Votes {
  readonly change: 'unchanged' | 'changed' | 'added' | 'deleted';
  /** For the tree that decides; null: no such file. The base's where there are problems. */
  readonly text: string | null;
  /**
   * The same with the patch's values of the keys in `contested`, which product and tests need alike (`type` of a package.json,
   * `go` of a go.mod): for a second judging. Null: no such key was changed.
   */
  readonly alternative: string | null;
  /** Every change of a dependency that the patch asks for, whether or not it has a vote. */
  readonly dependencies: readonly DependencyChange[];
  /** The file cannot be merged, and the patch must be refused: sentences without a subject, "is not JSON: …". */
  readonly problems: readonly string[];
}

const NO_VOTES: Votes = { fromPatch: [], fromBase: [], contested: [] };

/**
 * A manifest with what the product needs from the patch, and what tests need and every unknown key from the base. The text
 * is written anew from the values, so that no spelling of the patch reaches a tool that might read it otherwise.
 *
 * A new file is merged with an empty one; if nothing of it has a vote there is none. A deleted one stays as the base has it:
 * without it, tests could lose their settings.
 */
export function mergeManifest(request: ManifestRequest): ManifestMerge {
  const { kind, base, patch } = request;
  const same = { text: base, alternative: null, dependencies: [], problems: [], ...NO_VOTES };
  if (base === patch) return { ...same, change: 'unchanged' };
  const ours = base === null ? { table: EMPTY } : MANIFESTS[kind].format.read(base);
  if (patch === null) {
    return { ...same, change: 'deleted', fromBase: 'fault' in ours ? [] : [...ours.table.keys()] };
  }
  const change = base === null ? 'added' : 'changed';
  const theirs = MANIFESTS[kind].format.read(patch);
  if ('fault' in ours || 'fault' in theirs) return { ...same, change, problems: faultsOf(ours, theirs) };
  const { ecosystem, entries } = MANIFESTS[kind];
  const dir = posix.dirname(request.path);
  const depends = entries(ours.table, dir);
  const isTool = toolTest(ecosystem, request.testTools, developmentNames(depends));
  const isLoaded = (name: string): boolean => request.loaded?.has(name) === true;
  const facts = { base: ours.table, patch: theirs.table, isNew: base === null, isTool, isLoaded };
  const merged = mergeTables(request, facts, 'base');
  const alternative = merged.contested.length === 0 ? null : mergeTables(request, facts, 'patch');
  return {
    change,
    text: merged.text,
    alternative: alternative?.text ?? null,
    fromPatch: merged.fromPatch,
    fromBase: merged.fromBase,
    contested: merged.contested,
    dependencies: dependencyChanges(depends, entries(theirs.table, dir), { isTool, isLoaded }),
    problems: kind === 'go.sum' ? changedHashes(facts) : [],
  };
}

function developmentNames(entries: readonly DependencyEntry[]): readonly string[] {
  return entries.filter(({ group }) => group === 'test').map(({ name }) => name);
}

interface MergedText extends RuledTable {
  readonly text: string | null;
}

function mergeTables({ kind, base }: ManifestRequest, facts: RuleFacts, contested: Side): MergedText {
  const { format, rule } = MANIFESTS[kind];
  const merged = applyRule(rule(facts), facts.base, facts.patch, contested);
  if (base !== null && sameValue(merged.table, facts.base)) return { ...merged, text: base };
  return { ...merged, text: base === null && merged.table.size === 0 ? null : format.write(merged.table) };
}

function faultsOf(base: Reading, patch: Reading): readonly string[] {
  return [...('fault' in base ? [`${base.fault} (in the base)`] : []), ...('fault' in patch ? [patch.fault] : [])];
}

function changedHashes({ base, patch }: RuleFacts): readonly string[] {
  return [...patch]
    .filter(([key, hash]) => base.has(key) && base.get(key) !== hash)
    .map(([key]) => `has another hash of ${key} than the base`);
}
