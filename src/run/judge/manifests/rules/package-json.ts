import { each, knownKeys, type Rule, byKey, words } from '../rule.ts';
import { isTable, tableAt, textOf, type Value } from '../value.ts';
import { isOwnProgram } from '../test-tools.ts';
import { isFreeScript } from './npm-scripts.ts';
import type { RuleMaker } from './rule-maker.ts';

/** What a package says of itself and offers to others. */
const PRODUCT = words(`
  version description keywords homepage bugs license licenses author contributors
  maintainers funding repository files man sideEffects
  main module types typings typesVersions unpkg jsdelivr esnext es2015
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
    ['exports', { kind: 'mixed', mix: (before, after) => forUsers(after, conditionsIn(before)) }],
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

/** Under these a package is loaded where it is used. */
const OF_USERS = new Set(
  words(
    'import require default node types browser module production worker deno bun react-native react-server edge-light workerd',
  ),
);

/** What users get: under a condition that only developers or test runners set, tests would see other code than they. */
function forUsers(exports: Value | undefined, known: ReadonlySet<string>): Value | undefined {
  if (!isTable(exports)) return exports;
  const isShown = (key: string): boolean =>
    key.startsWith('.') || OF_USERS.has(key) || key.startsWith('types@') || known.has(key);
  return new Map([...exports].flatMap(([key, value]) => (isShown(key) ? [[key, forUsers(value, known) ?? null]] : [])));
}

/** Every key of a table and of the tables below it. */
function conditionsIn(value: Value | undefined): ReadonlySet<string> {
  return new Set(entriesOf(value).flatMap(([key, below]) => [key, ...conditionsIn(below)]));
}

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
