import { findSetup } from './lockfiles.ts';
import type { Readers } from './project-files.ts';
import { setupsWithoutLockfile } from './setup-guesses.ts';

export interface Detected {
  readonly language: string | null;
  readonly lockfile: string | null;
  readonly testCommand: string | null;
  readonly setupCommand: string | null;
  /** Setups for a project with dependencies and no lockfile, and other test commands: to be tried where the first do not work. */
  readonly otherSetups: readonly string[];
  readonly otherTests: readonly string[];
}

/** Detects a project's language and test command. Pure; null where there is no clear sign. */
export function detectProject(files: Readers): Detected {
  const { lockfile, setupCommand } = findSetup(files);
  const test = TEST_SIGNS.map((sign) => sign(files)).find((found) => found !== null) ?? null;
  return {
    language: test?.language ?? lockfile?.language ?? null,
    lockfile: lockfile?.file ?? null,
    testCommand: test?.command ?? null,
    setupCommand,
    otherSetups: setupCommand === null ? setupsWithoutLockfile(files) : [],
    otherTests: test?.others ?? [],
  };
}

interface TestSign {
  readonly language: string;
  readonly command: string;
  readonly others?: readonly string[];
}

const TEST_SIGNS: readonly ((files: Readers) => TestSign | null)[] = [
  packageScript,
  ({ paths }) => (paths.includes('Cargo.toml') ? { language: 'Rust', command: 'cargo test' } : null),
  ({ paths }) => (paths.includes('go.mod') ? { language: 'Go', command: 'go test ./...' } : null),
  pythonTests,
  ({ paths }) =>
    paths.some((path) => /\.test\.[cm]?js$/.test(path)) ? { language: 'JavaScript', command: 'node --test' } : null,
  ({ paths }) => {
    const script = ['test.sh', 'tests/test.sh', 'run-tests.sh'].find((path) => paths.includes(path));
    return script === undefined ? null : { language: 'shell', command: `sh ${script}` };
  },
];

function packageScript({ read }: Readers): TestSign | null {
  const script = /"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(read('package.json') ?? '')?.[1];
  if (script === undefined || script.includes('no test specified')) return null;
  return { language: 'JavaScript', command: 'npm test' };
}

function pythonTests({ paths, read }: Readers): TestSign | null {
  const hasTests = paths.some((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path));
  if (!hasTests) return null;
  const configured = [
    read('pyproject.toml'),
    read('setup.cfg'),
    read('tox.ini'),
    read('requirements.txt'),
    read('pytest.ini'),
  ];
  const usesPytest =
    paths.some((path) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(path)) ||
    configured.some((text) => text?.includes('pytest') === true);
  const usesUnittest = paths.some((path) => /test[^/]*\.py$/.test(path) && (read(path)?.includes('unittest') ?? false));
  const commands = ['python3 -m pytest -q', 'python3 -m unittest'] as const;
  const [command, other] = usesUnittest && !usesPytest ? [commands[1], commands[0]] : commands;
  return { language: 'Python', command, others: [other] };
}
