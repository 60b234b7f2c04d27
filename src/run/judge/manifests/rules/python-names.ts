import { words } from '../rule.ts';
import { packageName } from '../test-tools.ts';

/** The name that a requirement begins with (`Foo_Bar[x]>=1; marker`), as names are compared. Null: it has none. */
export function requirementName(requirement: string): string | null {
  const name = /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:$|[[(<>=!~;@,\s#])/.exec(requirement)?.[1];
  return name === undefined ? null : packageName('python', name);
}

/** Groups and extras that serve those who work on a project, not those who use it. */
export function isDevelopmentGroup(name: string): boolean {
  return packageName('python', name)
    .split('-')
    .some((word) => DEVELOPMENT.has(word));
}

const DEVELOPMENT = new Set(
  words(`
    dev devel develop development developer test tests testing unittest check checks
    ci qa lint linting format style typing types mypy cov coverage doc docs
    bench benchmark benchmarks tox nox pytest maintainer contrib release build
  `),
);

/** Entry points that the project itself looks up. All others are plugins of some other program, pytest among them. */
export function isOwnGroup(group: string, project: string | null): boolean {
  if (group === 'console_scripts' || group === 'gui_scripts') return true;
  if (project === null || group === 'pytest11') return false;
  const plain = (text: string): string => packageName('python', text).replaceAll('-', '');
  const [first = ''] = group.split(/[.:]/);
  return plain(first) === plain(project);
}
