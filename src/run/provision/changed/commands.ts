/** How the lockfile of an install is used. */
export interface InstallTerms {
  /** Name of the lockfile. */
  readonly lockfile: string;
  /** Its text. */
  readonly text: string;
  /** It pins everything. Otherwise only what it lacks is resolved. */
  readonly isComplete: boolean;
}

/**
 * The command that installs what a change needs. No script of a package or of the tree runs, and the lockfile is left as it was. Null: no
 * package manager that can be told so.
 */
export function commandToInstall({ lockfile, text, isComplete }: InstallTerms): string | null {
  switch (lockfile) {
    case 'package-lock.json':
    case 'npm-shrinkwrap.json':
      return isComplete ? 'npm ci --ignore-scripts' : 'npm install --ignore-scripts --no-save';
    case 'pnpm-lock.yaml': {
      const options = '--ignore-scripts --ignore-pnpmfile';
      return isComplete
        ? `pnpm install --frozen-lockfile ${options}`
        : keeping(lockfile, `pnpm install --no-frozen-lockfile ${options}`);
    }
    case 'yarn.lock': {
      if (!text.includes('__metadata:'))
        return isComplete
          ? 'yarn install --frozen-lockfile --ignore-scripts'
          : 'yarn install --pure-lockfile --ignore-scripts';
      return isComplete
        ? 'yarn install --immutable --mode=skip-build'
        : keeping(lockfile, 'yarn install --no-immutable --mode=skip-build');
    }
    case 'Cargo.lock':
      return isComplete ? 'cargo fetch --locked' : keeping(lockfile, 'cargo fetch');
    case 'go.sum':
      return 'go mod download';
    default:
      return null;
  }
}

function keeping(file: string, command: string): string {
  return `cp ${file} "$TMPDIR/kept" && ${command} && cp "$TMPDIR/kept" ${file}`;
}

/** Cargo and Go read sources to find out what to fetch, and run none of them. */
export const readsSources = (lockfile: string): boolean => lockfile === 'Cargo.lock' || lockfile === 'go.sum';

export const PYTHON_LISTS = { wanted: 'wanted.txt', frozen: 'frozen.txt', tools: 'tools.txt' } as const;

/**
 * Wheels only: building a package runs its code. The packages of the base keep their versions; where that contradicts what the change
 * needs, only those that tests depend on.
 */
export function pythonCommand(environment: string): string {
  const { wanted, frozen, tools } = PYTHON_LISTS;
  const install = (constraints: string): string =>
    `"$PWD/${environment}/bin/python" -m pip install --only-binary :all: -r ${wanted} -c ${constraints}`;
  return `python3 -m venv ${environment} && { ${install(frozen)} || ${install(tools)}; }`;
}
