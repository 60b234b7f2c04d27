/** Merged key by key. */
export const MANIFEST_NAMES = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod'];

/** What a package manager reads to find out what to install. */
export const DEPENDENCY_LISTS = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pylock.toml',
  'pylock.*.toml',
  'Pipfile',
  'Pipfile.lock',
  'requirements*.{txt,in}',
  'requirements/*.{txt,in}',
  '*-requirements.{txt,in}',
  'constraints*.txt',
  'environment.{yml,yaml}',
  'conda-lock.{yml,yaml}',
  'setup.py',
  'Cargo.lock',
  'go.sum',
  'Gemfile',
  'Gemfile.lock',
  '*.gemspec',
  'composer.json',
  'composer.lock',
  'mix.exs',
  'mix.lock',
  'gradle.lockfile',
  'packages.lock.json',
  'conanfile.{txt,py}',
  'conan.lock',
  'vcpkg.json',
  'pubspec.yaml',
  'pubspec.lock',
  'Package.resolved',
  'cpanfile',
  'cpanfile.snapshot',
];

/** Where installed packages live: nothing new in there comes from a patch. */
export const PACKAGE_DIRS = ['node_modules', 'jspm_packages'];

/** The same for Python, which finds them wherever it is told to look. */
export const PYTHON_PACKAGE_DIRS = ['site-packages', 'dist-packages', '__pypackages__'];

/** Vendored packages, in ecosystems whose tools load from such a directory by themselves. */
export const VENDOR_DIRS = ['vendor', 'Godeps'];

/** What an installed Python package is known by; `pytest11` plugins are found through them. */
export const PACKAGE_RECORDS = /\.(?:dist-info|egg-info|egg)$/;
