import { keys, type Rule, table, words } from '../rule.ts';
import { isTable, tableAt, textOf, type Value } from '../value.ts';
import { isFreeScript } from './npm-scripts.ts';
import type { RuleMaker } from './rule-maker.ts';

/** What a package says of itself and offers to others. */
const PRODUCT = words(`
  version description keywords homepage bugs license licenses author contributors
  maintainers funding repository files man sideEffects
  main module exports types typings typesVersions unpkg jsdelivr esnext es2015
`);
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'];

/** Every package.json, `devDependencies`, `overrides`, `workspaces` and the runners' own settings included in "all others". */
export const packageJson: RuleMaker = ({ base, patch, isNew, isTool }) => {
  const scripts = tableAt(base, 'scripts');
  const dependencies = table((name) => (isTool(name) ? 'base' : 'patch'));
  return keys(
    new Map<string, Rule>([
      ...PRODUCT.map((key) => [key, 'patch'] as const),
      ...DEPENDENCIES.map((key) => [key, dependencies] as const),
      // A package can import itself by its name, before anything that is installed.
      ['name', isNew && !isTool(textOf(patch.get('name'))) ? 'patch' : 'base'],
      ['type', isNew ? 'patch' : 'contested'],
      ['imports', 'contested'],
      ['browser', byEntry((key) => key.startsWith('.'))],
      ['bin', byEntry((name) => !isTool(name) || name === base.get('name'))],
      [
        'scripts',
        table((name) =>
          !scripts.has(name) && isFreeScript(name, scripts, tableAt(patch, 'scripts')) ? 'patch' : 'base',
        ),
      ],
    ]),
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
