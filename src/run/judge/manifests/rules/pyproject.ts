import { keys, type Rule, table, words } from '../rule.ts';
import { tableAt, textAt } from '../value.ts';
import { isDevelopmentGroup, isOwnGroup } from './python-names.ts';
import { requirementsList } from './python-requirements.ts';
import type { RuleMaker } from './rule-maker.ts';

const METADATA = words(`
  version description readme license license-files authors maintainers keywords
  classifiers urls dynamic
`);
/** Poetry's own names for the same, and which files make up the package. */
const POETRY = [...METADATA, 'homepage', 'repository', 'documentation', 'packages', 'include', 'exclude'];
/** Which modules make up the package. `package-dir`, `cmdclass` and `ext-modules` could put other code in their place. */
const SETUPTOOLS = [
  'packages',
  'py-modules',
  'package-data',
  'exclude-package-data',
  'include-package-data',
  'dynamic',
];

/** `[build-system]`, `[dependency-groups]` and the rest of `[tool]` are the base's, like every key that is not named here. */
export const pyproject: RuleMaker = ({ base, patch, isNew, isTool }) => {
  const project = textAt(tableAt(isNew ? patch : base, 'project'), 'name');
  const poetryName = textAt(tableAt(isNew ? patch : base, 'tool', 'poetry'), 'name');
  const scripts = table((name) => (isTool(name) ? 'base' : 'patch'));
  const plugins = (name: string | null): Rule =>
    table((group) => (isOwnGroup(group, name) ? table((key) => (isTool(key) ? 'base' : 'patch')) : 'base'));
  const nameRule = (name: string | null): Rule => (isNew && name !== null && !isTool(name) ? 'patch' : 'base');
  const requirements = requirementsList(isTool);
  return keys(
    new Map<string, Rule>([
      [
        'project',
        keys(
          new Map<string, Rule>([
            ...METADATA.map((key) => [key, 'patch'] as const),
            ['name', nameRule(project)],
            ['dependencies', requirements],
            ['optional-dependencies', table((extra) => (isDevelopmentGroup(extra) ? 'base' : requirements))],
            ['scripts', scripts],
            ['gui-scripts', scripts],
            ['entry-points', plugins(project)],
          ]),
        ),
      ],
      [
        'tool',
        keys(
          new Map<string, Rule>([
            [
              'poetry',
              keys(
                new Map<string, Rule>([
                  ...POETRY.map((key) => [key, 'patch'] as const),
                  ['name', nameRule(poetryName)],
                  ['dependencies', table((name) => (name === 'python' || isTool(name) ? 'base' : 'patch'))],
                  ['extras', table((extra) => (isDevelopmentGroup(extra) ? 'base' : 'patch'))],
                  ['scripts', scripts],
                  ['plugins', plugins(poetryName)],
                ]),
              ),
            ],
            ['setuptools', keys(new Map<string, Rule>(SETUPTOOLS.map((key) => [key, 'patch'])))],
          ]),
        ),
      ],
    ]),
  );
};
