import type { Readers } from './project-files.ts';

/** Commands that may run a project's tests, most likely first, by the language of what was found first. */
export interface TestCommands {
  readonly language: string;
  readonly commands: readonly [string, ...string[]];
}

/** Null where there is no sign of tests. Pure. */
export function findTestCommands(files: Readers): TestCommands | null {
  const found = SIGNS.map((sign) => sign(files)).filter((one) => one !== null);
  const [first] = found;
  if (first === undefined) return null;
  const [command, ...others] = first.commands;
  const rest = [...others, ...found.slice(1).flatMap(({ commands }) => commands)];
  return { language: first.language, commands: [command, ...new Set(rest.filter((one) => one !== command))] };
}

const SIGNS: readonly ((files: Readers) => TestCommands | null)[] = [
  packageScript,
  ({ paths }) => (paths.includes('Cargo.toml') ? { language: 'Rust', commands: ['cargo test'] } : null),
  ({ paths }) => (paths.includes('go.mod') ? { language: 'Go', commands: ['go test ./...'] } : null),
  pythonTests,
  installedRunners,
  ({ paths }) =>
    paths.some((path) => /\.test\.[cm]?js$/.test(path)) ? { language: 'JavaScript', commands: ['node --test'] } : null,
  shellTests,
  cmakeTests,
  makeTarget,
];

function packageScript({ read }: Readers): TestCommands | null {
  const script = /"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(read('package.json') ?? '')?.[1];
  if (script === undefined || script.includes('no test specified')) return null;
  return { language: 'JavaScript', commands: ['npm test'] };
}

const RUNNERS = [
  ['vitest', 'npx vitest run'],
  ['jest', 'npx jest'],
  ['mocha', 'npx mocha'],
  ['ava', 'npx ava'],
  ['tap', 'npx tap'],
] as const;

/** The test script may start its runner by a program that is not known, or report no tests for other reasons. */
function installedRunners({ read }: Readers): TestCommands | null {
  const manifest = read('package.json') ?? '';
  const [first, ...others] = RUNNERS.filter(([name]) => new RegExp(`"${name}"\\s*:\\s*"`).test(manifest)).map(
    ([, command]) => command,
  );
  return first === undefined ? null : { language: 'JavaScript', commands: [first, ...others] };
}

const PYTHON_TESTS = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;
const PYTHON_SETTINGS = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'pytest.ini'];

function pythonTests({ paths, read }: Readers): TestCommands | null {
  // Runners do not look for a file of this name.
  const named = ['test.py', 'tests.py'].find((path) => /\bunittest\b|\bdef test/.test(read(path) ?? ''));
  const hasTests = paths.some((path) => PYTHON_TESTS.test(path));
  if (!hasTests && named === undefined) return null;
  const file = hasTests ? '' : ` ${named}`;
  const usesPytest =
    paths.some((path) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(path)) ||
    PYTHON_SETTINGS.some((path) => read(path)?.includes('pytest') === true);
  const usesUnittest = paths.some(
    (path) => /tests?[^/]*\.py$/.test(path) && (read(path)?.includes('unittest') ?? false),
  );
  const runners = [`python3 -m pytest -q${file}`, `python3 -m unittest${file}`] as const;
  const [command, other] = usesUnittest && !usesPytest ? ([runners[1], runners[0]] as const) : runners;
  // Packages below src/ are found only once they are installed, or so.
  const isBelowSrc = paths.some((path) => /^src\/[^/]+\/__init__\.py$/.test(path));
  const uninstalled = isBelowSrc ? [command, other].map((one) => `PYTHONPATH=src ${one}`) : [];
  return { language: 'Python', commands: [command, ...uninstalled.slice(0, 1), other, ...uninstalled.slice(1)] };
}

/** Not the project's own tests, or run from their own directory. */
const ELSEWHERE = /(?:^|\/)(?:examples?|docs?|vendor|node_modules|third_party)\//;
const SHELL_FILE = /(?:^|\/)(?:[^/]*[-_.]?tests?[-_.]?[^/]*|test_[^/]*)(?:\.sh)?$/i;
/** By its name, or by a variable that is named after it. */
const LOADS_SHUNIT2 = /^[ \t]*(?:\.|source)[ \t]+(?:\S*shunit2\b|"?\$\{?\w*SHUNIT2?\w*\}?)/m;

/** Whether a shell script ends by loading shunit2, which runs its tests. */
export const loadsShunit2 = (text: string): boolean => LOADS_SHUNIT2.test(text);

function shellTests({ paths, read }: Readers): TestCommands | null {
  const single = ['test.sh', 'tests/test.sh', 'run-tests.sh'].find((path) => paths.includes(path));
  const own = paths.filter((path) => !ELSEWHERE.test(path));
  const bats = [...new Set(own.filter((path) => path.endsWith('.bats')).map(dirOf))].toSorted();
  const shunit2 = own.filter((path) => isPlainPath(path) && SHELL_FILE.test(path) && loadsShunit2(read(path) ?? ''));
  const [first, ...others] = [
    ...(single === undefined ? [] : [`sh ${single}`]),
    ...(bats.length === 0 || !bats.every(isPlainPath) ? [] : [`bats ${bats.join(' ')}`]),
    ...(shunit2.length === 0
      ? []
      : [
          shunit2
            .toSorted()
            .map((path) => `sh ${path}`)
            .join(' && '),
        ]),
  ];
  return first === undefined ? null : { language: 'shell', commands: [first, ...others] };
}

const dirOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');
/** Needs no quoting in a command. */
const isPlainPath = (path: string): boolean => /^[\w./-]+$/.test(path);

function cmakeTests({ read }: Readers): TestCommands | null {
  const hasTests = /^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b)/im.test(read('CMakeLists.txt') ?? '');
  const command = 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-junit report.xml';
  return hasTests ? { language: 'C', commands: [command] } : null;
}

function makeTarget({ read }: Readers): TestCommands | null {
  const makefile = read('Makefile') ?? read('makefile') ?? '';
  const target = ['test', 'check'].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(makefile));
  return target === undefined ? null : { language: 'make', commands: [`make ${target}`] };
}
