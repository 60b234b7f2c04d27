import type { Readers } from './project-files.ts';
import { localPackages, requirementFiles } from './setup-inputs.ts';

/** A kind of lockfile, and the command that installs exactly the pinned dependencies. */
export interface Lockfile {
  readonly file: string;
  readonly language: string;
  readonly setup: (text: string) => string;
  /** A lockfile that pins nothing needs no setup. */
  readonly pins: (text: string) => boolean;
  /** Paths of other files that affect the result of the setup. */
  readonly alsoRead: RegExp;
  /** Further files that affect it, named by others. */
  readonly alsoNamed?: (files: Readers) => readonly string[];
  /** Whether the setup runs or builds code of the tree itself, so that any file may affect its result. */
  readonly usesTree: (files: Readers) => boolean;
  /** Programs that the setup starts; the first one reads the lockfile. */
  readonly programs: readonly string[];
}

const PACKAGE_FILES = /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc)$/;
const INSTALL_SCRIPT = /"((pre|post)?(install|prepare)|prepublish)"\s*:/;

/** Local packages may have install scripts or code to compile. */
function runsOwnScripts({ paths, read }: Readers): boolean {
  const own = paths.filter((path) => /(^|\/)package\.json$/.test(path) && !/(^|\/)node_modules\//.test(path));
  return paths.includes('binding.gyp') || own.some((path) => INSTALL_SCRIPT.test(read(path) ?? ''));
}

const nothingOfTheTree = (): boolean => false;

const npm = {
  language: 'JavaScript',
  setup: () => 'npm ci',
  pins: (text: string) => text.includes('"node_modules/'),
  alsoRead: PACKAGE_FILES,
  alsoNamed: localPackages,
  usesTree: runsOwnScripts,
  programs: ['npm', 'node'],
};

export const PACKAGE_LOCK: Lockfile = { file: 'package-lock.json', ...npm };

/** In order of precedence, for projects with several lockfiles. */
export const LOCKFILES: readonly Lockfile[] = [
  {
    file: 'pnpm-lock.yaml',
    language: 'JavaScript',
    setup: () => 'pnpm install --frozen-lockfile',
    pins: (text) => /^(packages|snapshots):/m.test(text),
    alsoRead: /(^|\/)(package\.json|\.npmrc|pnpm-workspace\.yaml|pnpm-lock\.yaml|\.pnpmfile\.c?js)$|(^|\/)patches\//,
    alsoNamed: localPackages,
    usesTree: runsOwnScripts,
    programs: ['pnpm', 'node'],
  },
  {
    file: 'yarn.lock',
    language: 'JavaScript',
    // Yarn 2 and later mark their lockfile and name the option differently.
    setup: (text) => (isBerry(text) ? 'yarn install --immutable' : 'yarn install --frozen-lockfile'),
    pins: (text) => /^ +resolved /m.test(text) || /^ +resolution: (?!.*@workspace:)/m.test(text),
    alsoRead:
      /(^|\/)(package\.json|yarn\.lock|\.npmrc|\.yarnrc|\.yarnrc\.yml)$|(^|\/)\.yarn\/(releases|plugins|patches)\//,
    alsoNamed: localPackages,
    usesTree: runsOwnScripts,
    programs: ['yarn', 'node'],
  },
  PACKAGE_LOCK,
  { file: 'npm-shrinkwrap.json', ...npm },
  {
    file: 'uv.lock',
    language: 'Python',
    setup: () => 'uv sync --frozen',
    pins: (text) => /^source = \{ *(registry|git|url|path|directory)\b/m.test(text),
    alsoRead: /(^|\/)(pyproject\.toml|uv\.toml|\.python-version)$/,
    usesTree: ({ paths }) => paths.some((path) => /(^|\/)setup\.(py|cfg)$/.test(path)),
    programs: ['uv', 'python3'],
  },
  {
    file: 'requirements.txt',
    language: 'Python',
    setup: () => 'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
    pins: (text) => text.split('\n').some((line) => /^\s*[^#\s]/.test(line)),
    alsoRead: /(^|\/)pip\.conf$/,
    alsoNamed: (files) => requirementFiles('requirements.txt', files),
    usesTree: (files) => requirementFiles('requirements.txt', files).some((path) => namesFiles(files.read(path) ?? '')),
    programs: ['python3'],
  },
  {
    file: 'Cargo.lock',
    language: 'Rust',
    setup: () => 'cargo fetch --locked',
    pins: (text) => /^source = /m.test(text),
    alsoRead: /(^|\/)(Cargo\.toml|rust-toolchain|rust-toolchain\.toml|\.cargo\/config|\.cargo\/config\.toml)$/,
    usesTree: nothingOfTheTree,
    programs: ['cargo'],
  },
  {
    file: 'go.sum',
    language: 'Go',
    setup: () => 'go mod download',
    pins: (text) => text.trim() !== '',
    alsoRead: /(^|\/)go\.(mod|sum|work|work\.sum)$/,
    usesTree: nothingOfTheTree,
    programs: ['go'],
  },
];

const isBerry = (text: string): boolean => text.includes('__metadata:');

/** Requirements that refer to directories or archives of the tree instead of names in an index. */
function namesFiles(requirements: string): boolean {
  return requirements
    .split('\n')
    .some((line) => /^\s*(-[ef]|--(editable|find-links)|[./])|file:|^[^:]*\.whl/.test(line));
}

/** A project's lockfile and its setup; `setupCommand` is null if there is nothing to install. */
export interface FoundSetup {
  readonly lockfile: Lockfile | null;
  readonly setupCommand: string | null;
}

export function findSetup({ read }: Pick<Readers, 'read'>): FoundSetup {
  const lockfile = LOCKFILES.find(({ file }) => read(file) !== null) ?? null;
  const text = lockfile === null ? '' : (read(lockfile.file) ?? '');
  const isVendored = lockfile?.file === 'go.sum' && read('vendor/modules.txt') !== null;
  const needed = lockfile !== null && lockfile.pins(text) && !isVendored;
  return { lockfile, setupCommand: needed ? lockfile.setup(text) : null };
}
