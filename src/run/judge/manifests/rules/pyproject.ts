import { each, knownKeys, type Rule, byKey, words } from '../rule.ts';
import { isOwnProgram } from '../test-tools.ts';
import { tableAt, textAt, textsOf } from '../value.ts';
import { isDevelopmentGroup, isOwnGroup } from './python-names.ts';
import { requirementsList } from './python-requirements.ts';
import type { RuleMaker } from './rule-maker.ts';

const METADATA = words(`
  version description readme license license-files authors maintainers keywords
  classifiers urls
`);
/** Poetry's own names for the same, and which files make up the package. */
const POETRY = [...METADATA, 'homepage', 'repository', 'documentation', 'packages', 'include', 'exclude'];
/** Which modules make up the package. `package-dir`, `cmdclass` and `ext-modules` could put other code in their place. */
const SETUPTOOLS = words('packages py-modules package-data exclude-package-data include-package-data');

/** Dependencies and entry points that are read from another file would pass by all that is checked here. */
const DYNAMIC: Rule = {
  kind: 'mixed',
  mix: (base, patch) => {
    const known = new Set(textsOf(base));
    const names = textsOf(patch).filter((name) => known.has(name) || METADATA.includes(name));
    return names.length === 0 && (base === undefined || patch === undefined) ? undefined : names;
  },
};

/** `[build-system]`, `[dependency-groups]` and the rest of `[tool]` are the base's, like every key that is not named here. */
export const pyproject: RuleMaker = ({ base, patch, isNew, isTool }) => {
  const project = textAt(tableAt(isNew ? patch : base, 'project'), 'name');
  const poetryName = textAt(tableAt(isNew ? patch : base, 'tool', 'poetry'), 'name');
  const scripts = byKey((name) => (isOwnProgram(name, isTool) ? 'patch' : 'base'));
  const plugins = (name: string | null): Rule => byKey((group) => (isOwnGroup(group, name) ? scripts : 'base'));
  const nameRule = (name: string | null): Rule => (isNew && name !== null && !isTool(name) ? 'patch' : 'base');
  const requirements = requirementsList(isTool);
  return knownKeys(
    [
      'project',
      knownKeys(
        ...each(METADATA, 'patch'),
        ['name', nameRule(project)],
        ['dynamic', DYNAMIC],
        ['dependencies', requirements],
        ['optional-dependencies', byKey((extra) => (isDevelopmentGroup(extra) ? 'base' : requirements))],
        ['scripts', scripts],
        ['gui-scripts', scripts],
        ['entry-points', plugins(project)],
      ),
    ],
    [
      'tool',
      knownKeys(
        [
          'poetry',
          knownKeys(
            ...each(POETRY, 'patch'),
            ['name', nameRule(poetryName)],
            ['dependencies', byKey((name) => (name === 'python' || isTool(name) ? 'base' : 'patch'))],
            ['extras', byKey((extra) => (isDevelopmentGroup(extra) ? 'base' : 'patch'))],
            ['scripts', scripts],
            ['plugins', plugins(poetryName)],
          ),
        ],
        ['setuptools', knownKeys(...each(SETUPTOOLS, 'patch'), ['dynamic', knownKeys(...each(METADATA, 'patch'))])],
      ),
    ],
  );
};
