import type { Readers } from './project-files.ts';

const VENV = 'python3 -m venv .venv && .venv/bin/python -m pip install';

const REQUIREMENTS = [
  'requirements-dev.txt',
  'requirements-test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
  'requirements_dev.txt',
  'requirements/dev.txt',
  'requirements/test.txt',
  'requirements/tests.txt',
];

const EXTRAS = ['test', 'tests', 'testing', 'dev'];

/** Commands that install a project's dependencies where no lockfile pins them. Pure; most likely first. */
export function setupsWithoutLockfile(files: Readers): readonly string[] {
  return [...npmInstall(files), ...pipInstall(files), ...cargoFetch(files)];
}

function npmInstall({ read }: Readers): string[] {
  const needs = /"(dependencies|devDependencies)"\s*:\s*\{\s*"/.test(read('package.json') ?? '');
  return needs ? ['npm install --no-audit --no-fund'] : [];
}

function pipInstall({ read }: Readers): string[] {
  const list = REQUIREMENTS.find((file) => read(file) !== null);
  const manifest = read('pyproject.toml') ?? '';
  const isPackage = /^\[(project|build-system|tool\.poetry)\]/m.test(manifest) || read('setup.py') !== null;
  if (list === undefined && !isPackage) return [];
  const extra = EXTRAS.find((name) => hasExtra(manifest, name));
  const self = extra === undefined ? '-e . pytest' : `-e '.[${extra}]'`;
  return [`${VENV}${list === undefined ? '' : ` -r ${list}`}${isPackage ? ` ${self}` : ''}`];
}

function hasExtra(manifest: string, name: string): boolean {
  const table = /^\[project\.optional-dependencies\]\n((?:(?!\[).*\n?)*)/m.exec(manifest)?.[1] ?? '';
  return new RegExp(`^${name}\\s*=`, 'm').test(table);
}

function cargoFetch({ read }: Readers): string[] {
  const needs = /^\[(dev-)?dependencies\]\n+\s*[^[\s#]/m.test(read('Cargo.toml') ?? '');
  return needs ? ['cargo fetch'] : [];
}
