import { each, knownKeys, type Rule, byKey } from '../rule.ts';
import { isOwnProgram } from '../test-tools.ts';
import { tableAt, textAt } from '../value.ts';
import { isDevelopmentGroup, isOwnGroup } from './python-names.ts';
import { linesOf, requirementsText } from './python-requirements.ts';
import type { RuleMaker } from './rule-maker.ts';

/** Which modules make up the package. `package_dir` and `cmdclass` could put other code in their place. */
const OPTIONS = ['packages', 'py_modules', 'scripts', 'include_package_data', 'zip_safe', 'namespace_packages'];
const SECTIONS = [
  'options.package_data',
  'options.exclude_package_data',
  'options.packages.find',
  'options.data_files',
];

/** `[tool:pytest]`, `[coverage:*]`, `[aliases]` and the rest are the base's, like every section that is not named here. */
export const setupCfg: RuleMaker = ({ base, patch, isNew, isTool }) => {
  const name = textAt(tableAt(isNew ? patch : base, 'metadata'), 'name');
  const requirements = requirementsText(isTool);
  return knownKeys(
    ['metadata', byKey((key) => (key !== 'name' || (isNew && name !== null && !isTool(name)) ? 'patch' : 'base'))],
    [
      'options',
      knownKeys(...each(OPTIONS, 'patch'), ['install_requires', requirements], ['install-requires', requirements]),
    ],
    ['options.extras_require', byKey((extra) => (isDevelopmentGroup(extra) ? 'base' : requirements))],
    ['options.entry_points', byKey((group) => (isOwnGroup(group, name) ? scripts(isTool) : 'base'))],
    ...each(SECTIONS, 'patch'),
  );
};

/** tox runs tests and nothing else. */
export const toxIni: RuleMaker = () => byKey(() => byKey(() => 'base'));

/** Lines `name = module:function`. */
function scripts(isTool: (name: string) => boolean): Rule {
  const isBases = (line: string): boolean => !isOwnProgram(line.split('=')[0]?.trim() ?? '', isTool);
  return {
    kind: 'mixed',
    mix: (base, patch) => {
      const merged = [...linesOf(patch).filter((line) => !isBases(line)), ...linesOf(base).filter(isBases)];
      return merged.length === 0 && (base === undefined || patch === undefined) ? undefined : `\n${merged.join('\n')}`;
    },
  };
}
