/** Directories that tools make for themselves wherever they are used. */
export const CACHE_DIRS: ReadonlySet<string> = new Set([
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.pytype',
  '.pyre',
  '.hypothesis',
  '.tox',
  '.nox',
  '.venv',
  '.eggs',
  '.ipynb_checkpoints',
  '.nyc_output',
  '.vitest',
  '.vite',
  '.turbo',
  '.parcel-cache',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.angular',
  '.npm',
  '.pnpm-store',
  '.gradle',
  '.kotlin',
  '.ccls-cache',
  '.clangd',
  'CMakeFiles',
  'htmlcov',
  'lcov-report',
  '.scannerwork',
  '.dart_tool',
]);

/** Files of the same kind. */
export const CACHE_FILES = [
  '.coverage',
  '.coverage.*.*',
  'coverage.xml',
  'lcov.info',
  '.eslintcache',
  '.stylelintcache',
  '*.tsbuildinfo',
  '.DS_Store',
  'Thumbs.db',
  '*.gcda',
  '*.gcno',
  '*.gcov',
  '*.profraw',
  '*.profdata',
  '*.swp',
  '*.swo',
  '*~',
];

/** Caches inside the directory of installed packages. */
export const CACHE_PATHS = ['node_modules/.cache', 'node_modules/.vite', 'node_modules/.vitest'];

/** Output directories with common names: a cache only beside the file that says who makes them. */
export const OUTPUT_DIRS: readonly { readonly dir: string; readonly beside: readonly string[] }[] = [
  { dir: 'target', beside: ['Cargo.toml', 'pom.xml', 'build.sbt'] },
  { dir: 'coverage', beside: ['package.json'] },
  { dir: '_build', beside: ['mix.exs', 'dune-project', 'rebar.config'] },
  { dir: 'zig-cache', beside: ['build.zig'] },
  { dir: '.build', beside: ['Package.swift'] },
];

/** Files by which a tool marks a directory as its own, whatever the directory is called. */
export const OUTPUT_MARKERS = ['CACHEDIR.TAG', 'pyvenv.cfg', 'CMakeCache.txt', 'meson-private/coredata.dat'];
