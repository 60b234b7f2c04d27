import { each, knownKeys, type Rule, byKey, words } from '../rule.ts';
import { isTable, type Table, tableAt, textAt, textsOf, type Value } from '../value.ts';
import { targets } from './cargo-targets.ts';
import type { RuleFacts, RuleMaker } from './rule-maker.ts';

const METADATA = words(`
  version authors description documentation readme homepage repository license
  license-file keywords categories include exclude publish
`);

/**
 * `[dev-dependencies]`, `[build-dependencies]`, `[patch]`, `[replace]`, `[profile]`, `[lints]`, `[[test]]`, `[[bench]]`,
 * `build`, `autotests` and the members of a workspace are the base's, like every key that is not named here.
 */
export const cargoRules: RuleMaker = (facts) => {
  const { base, patch, isNew, isTool } = facts;
  const dependencies = dependencyTable(base, isTool);
  const name = textAt(tableAt(patch, 'package'), 'name');
  return knownKeys(
    [
      'package',
      knownKeys(
        ...each(METADATA, 'patch'),
        ['name', isNew && name !== null && !isTool(name) ? 'patch' : 'base'],
        ['edition', isNew ? 'patch' : 'contested'],
      ),
    ],
    ['dependencies', dependencies],
    ['target', byKey(() => knownKeys(['dependencies', dependencies]))],
    ['features', byKey(() => featureList(facts))],
    ['lib', isNew ? 'patch' : knownKeys(['crate-type', 'patch'])],
    ['bin', targets(isTool)],
    ['example', targets(isTool)],
    [
      'workspace',
      knownKeys(
        ['dependencies', dependencies],
        ['package', knownKeys(...each(METADATA, 'patch'), ['edition', 'contested'])],
      ),
    ],
  );
};

/** `[dev-dependencies]` and `[target.*.dev-dependencies]`. */
function developmentDependencies(manifest: Table): Table {
  return new Map([
    ...[...tableAt(manifest, 'target').keys()].flatMap((target) => [
      ...tableAt(manifest, 'target', target, 'dev-dependencies'),
    ]),
    ...tableAt(manifest, 'dev-dependencies'),
  ]);
}

/**
 * A product that begins to use one of the base's development dependencies gets it as the base has it there: without an entry
 * of its own it would not compile.
 */
function dependencyTable(base: Table, isTool: (name: string) => boolean): Rule {
  const development = developmentDependencies(base);
  return byKey((name) => ({
    kind: 'mixed',
    mix: (ours, theirs) => {
      const alias = isTable(theirs) ? textAt(theirs, 'package') : null;
      if (!isTool(name) && (alias === null || !isTool(alias))) return theirs;
      return ours ?? (theirs === undefined ? undefined : development.get(name));
    },
  }));
}

/** A feature cannot switch on something of a test tool that the base's does not. */
function featureList({ base, isTool }: RuleFacts): Rule {
  const product = tableAt(base, 'dependencies');
  const reaches = (item: string): boolean => {
    const name = /^(?:dep:)?([^/?]+)/.exec(item)?.[1] ?? '';
    return (item.startsWith('dep:') || item.includes('/')) && isTool(name) && !product.has(name);
  };
  return {
    kind: 'mixed',
    mix: (ours: Value | undefined, theirs: Value | undefined) => {
      if (theirs === undefined) return undefined;
      const known = new Set(textsOf(ours));
      return textsOf(theirs).filter((item) => known.has(item) || !reaches(item));
    },
  };
}
