import { each, knownKeys, type Rule, byKey, words } from '../rule.ts';
import { isTable, tableAt, textOf, type Value } from '../value.ts';
import { isOwnProgram } from '../test-tools.ts';
import { isFreeScript } from './npm-scripts.ts';
import type { RuleMaker } from './rule-maker.ts';

/** What a package says of itself and offers to others. */
const PRODUCT = words(`
  version description keywords homepage bugs license licenses author contributors
  maintainers funding repository files man sideEffects
  main module exports types typings typesVersions unpkg jsdelivr esnext es2015
`);
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'];

/** `devDependencies` but for new ones that the product loads, `overrides`, `workspaces` and settings of runners are the base's, like every key that is not named here. */
export const packageJson: RuleMaker = ({ base, patch, isNew, isTool, isLoaded }) => {
  const scripts = tableAt(base, 'scripts');
  const dependencies = byKey((name) => (isTool(name) ? 'base' : 'patch'));
  return knownKeys(
    ...each(PRODUCT, 'patch'),
    ...each(DEPENDENCIES, dependencies),
    ['devDependencies', byKey((name) => (isLoaded(name) && !isTool(name) ? 'patch' : 'base'))],
    // A package can import itself by its name, before anything that is installed.
    ['name', isNew && !isTool(textOf(patch.get('name'))) ? 'patch' : 'base'],
    ['type', isNew ? 'patch' : 'contested'],
    ['imports', 'contested'],
    ['browser', byEntry((key) => key.startsWith('.'))],
    ['bin', byEntry((name) => isOwnProgram(name, isTool) || name === base.get('name'))],
    [
      'scripts',
      byKey((name) =>
        !scripts.has(name) && isFreeScript(name, scripts, tableAt(patch, 'scripts')) ? 'patch' : 'base',
      ),
    ],
  );
};

/** A text is the product's own file. In a table the patch has the vote on entries of the product alone. */
function byEntry(isProduct: (key: string) => boolean): Rule {
  return {
    kind: 'mixed',
    mix: (base, patch) => {
      const kept = entriesOf(base).filter(([key]) => !isProduct(key));
      if (!isTable(patch)) return kept.length === 0 ? patch : base;
      const entries = [...kept, ...[...patch].filter(([key]) => isProduct(key))];
      return entries.length === 0 && base === undefined ? undefined : new Map(entries);
    },
  };
}

const entriesOf = (value: Value | undefined): readonly (readonly [string, Value])[] =>
  isTable(value) ? [...value] : [];
