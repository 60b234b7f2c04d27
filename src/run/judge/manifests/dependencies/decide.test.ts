import { describe, expect, test } from 'vitest';
import { manifestKind } from '../manifest.ts';
import { decideDependencies, type DependencyVerdict } from './decide.ts';

type Files = Readonly<Record<string, string>>;

/** Every file is a manifest or a lockfile; those that the patch does not name are unchanged. */
function decide(base: Files, patch: Files, tools: readonly string[] = []): DependencyVerdict {
  const all = { ...base, ...patch };
  const facts = Object.keys(all).map((path) => ({ path, base: base[path] ?? null, patch: all[path] ?? null }));
  return decideDependencies({
    manifests: facts.flatMap((file) => {
      const kind = manifestKind(file.path);
      return kind === null ? [] : [{ ...file, kind }];
    }),
    lockfiles: facts.filter(({ path }) => /lock|shrinkwrap|requirements|go\.sum/.test(path)),
    testTools: new Set(tools),
  });
}

/** `product_only`, or `code name` of every refusal. */
function summary({ decision }: DependencyVerdict): string {
  switch (decision.kind) {
    case 'refused':
      return decision.refusals.map(({ code, name }) => `${code} ${name}`).join(', ');
    case 'test_tools_changed':
      return `${decision.kind}${decision.productChanged ? ' and product' : ''}`;
    default:
      return decision.kind;
  }
}

const json = (value: object): string => JSON.stringify(value, null, 2);

describe('package.json alone', () => {
  const base = {
    name: 'slug',
    dependencies: { ms: '^2.0.0', sibling: 'workspace:^' },
    devDependencies: { chai: '^4.0.0' },
  };

  test.each<readonly [string, object, string]>([
    ['nothing but a release', { version: '2.0.0' }, 'unchanged'],
    ['a product dependency', { dependencies: { ...base.dependencies, ms: '^3.0.0' } }, 'product_only'],
    ['a new one', { dependencies: { ...base.dependencies, nanoid: '5' } }, 'product_only'],
    ['a new one under another name', { dependencies: { ...base.dependencies, id: 'npm:nanoid@5' } }, 'product_only'],
    ['one removed', { dependencies: { ms: '^2.0.0' } }, 'product_only'],
    ['a test tool', { devDependencies: { chai: '^5.0.0' } }, 'test_tools_changed'],
    ['a test tool moved to the product', { dependencies: { ...base.dependencies, chai: '^5' } }, 'test_tools_changed'],
    ['both', { dependencies: {}, devDependencies: {} }, 'test_tools_changed and product'],
    ['a sibling', { dependencies: { ...base.dependencies, other: 'workspace:*' } }, 'product_only'],
    ['a sibling’s range', { dependencies: { ...base.dependencies, sibling: 'workspace:*' } }, 'product_only'],
    ['a directory', { dependencies: { ...base.dependencies, own: 'file:packages/own' } }, 'product_only'],
    [
      'a directory in the place of a package',
      { dependencies: { ...base.dependencies, ms: 'file:ms' } },
      'not_from_registry ms',
    ],
    ['a directory in the place of a test tool', { devDependencies: { chai: 'link:fake' } }, 'not_from_registry chai'],
    ['a directory outside', { dependencies: { ...base.dependencies, x: 'file:../x' } }, 'not_from_registry x'],
    ['a directory outside, indirectly', { dependencies: { x: 'file:a/../../x' } }, 'not_from_registry x'],
    ['an archive', { dependencies: { ...base.dependencies, x: './x.tgz' } }, 'not_from_registry x'],
    [
      'a repository',
      { dependencies: { ...base.dependencies, x: 'git+ssh://git@host.example/x.git' } },
      'not_from_registry x',
    ],
    ['a repository, in short', { dependencies: { ...base.dependencies, x: 'someone/x#main' } }, 'not_from_registry x'],
    ['a repository of a known host', { optionalDependencies: { x: 'github:someone/x' } }, 'not_from_registry x'],
    ['an address', { peerDependencies: { x: 'https://host.example/x.tgz' } }, 'not_from_registry x'],
    ['an unknown protocol', { dependencies: { ...base.dependencies, x: 'exec:./make.js' } }, 'not_from_registry x'],
    ['an override of a test tool', { overrides: { chai: '5' } }, 'test_tools_changed'],
    ['an override beside a product dependency', { dependencies: {}, overrides: { chai: '5' } }, 'override chai'],
    [
      'an override of pnpm by a directory',
      { pnpm: { overrides: { 'x>@y/chai@1': 'file:fake' } } },
      'not_from_registry @y/chai',
    ],
    ['a resolution of yarn', { resolutions: { '**/chai': 'patch:chai@1#x' } }, 'not_from_registry chai'],
    ['bundled packages', { bundledDependencies: ['chai'] }, 'test_tools_changed'],
  ])('%s', (_name, changes, expected) => {
    const patch = { 'package.json': json({ ...base, ...changes }) };
    expect(summary(decide({ 'package.json': json(base) }, patch))).toBe(expected);
  });

  test('a file that cannot be read', () => {
    const verdict = decide({ 'package.json': json(base) }, { 'package.json': '{' });
    expect(verdict.decision).toEqual({
      kind: 'refused',
      refusals: [
        {
          code: 'unreadable',
          name: 'package.json',
          path: 'package.json',
          detail: expect.stringMatching(/^is not JSON/),
        },
      ],
    });
  });
});

describe('package-lock.json', () => {
  const HOST = 'https://registry.example';
  const entry = (name: string, version: string, more: object = {}): object => ({
    version,
    resolved: `${HOST}/${name}/-/${name}-${version}.tgz`,
    integrity: `sha512-${name}${version}`,
    ...more,
  });
  const packages = {
    '': { name: 'slug' },
    'node_modules/ms': entry('ms', '2.0.0', { dependencies: { deep: '1' } }),
    'node_modules/deep': entry('deep', '1.0.0'),
    'node_modules/chai': entry('chai', '4.0.0', { dev: true, dependencies: { loupe: '1' } }),
    'node_modules/loupe': entry('loupe', '1.0.0', { dev: true }),
  };
  const manifest = json({ name: 'slug', dependencies: { ms: '^2.0.0' }, devDependencies: { chai: '^4.0.0' } });
  const lock = (changes: object): string => json({ lockfileVersion: 3, packages: { ...packages, ...changes } });

  test.each<readonly [string, object, string]>([
    ['nothing', {}, 'unchanged'],
    ['a package that the product needs', { 'node_modules/ms': entry('ms', '2.1.0') }, 'product_only'],
    ['one that it needs indirectly', { 'node_modules/deep': entry('deep', '1.1.0') }, 'product_only'],
    ['one that a test tool needs', { 'node_modules/loupe': entry('loupe', '1.1.0') }, 'test_tools_changed'],
    ['a test tool', { 'node_modules/chai': entry('chai', '4.1.0') }, 'test_tools_changed'],
    [
      'a registry that is not the base’s',
      { 'node_modules/deep': { version: '1.1.0', resolved: 'https://evil.example/deep/-/deep-1.1.0.tgz' } },
      'new_registry deep',
    ],
    [
      'one that only looks like it',
      { 'node_modules/deep': { version: '1.1.0', resolved: `${HOST}@evil.example/deep/-/deep-1.1.0.tgz` } },
      'new_registry deep',
    ],
    [
      'the same without encryption',
      { 'node_modules/deep': { version: '1.1.0', resolved: 'http://registry.example/deep/-/deep-1.1.0.tgz' } },
      'new_registry deep',
    ],
    [
      'another package under this name',
      { 'node_modules/deep': { version: '1.1.0', resolved: `${HOST}/evil/-/evil-1.1.0.tgz` } },
      'not_from_registry deep',
    ],
    [
      'an alias that nothing asks for',
      { 'node_modules/deep': entry('evil', '1.1.0', { name: 'evil' }) },
      'other_package deep',
    ],
    [
      'an alias that a package asks for',
      {
        'node_modules/ms': entry('ms', '2.1.0', { dependencies: { 'deep-cjs': 'npm:deep@1' } }),
        'node_modules/deep-cjs': entry('deep', '1.1.0', { name: 'deep' }),
      },
      'product_only',
    ],
    [
      'another content of the same version',
      { 'node_modules/deep': entry('deep', '1.0.0', { integrity: 'sha512-x' }) },
      'changed_hash deep',
    ],
    [
      'a package with a script',
      { 'node_modules/deep': entry('deep', '2.0.0', { hasInstallScript: true }) },
      'needs_install_script deep',
    ],
    [
      'a test tool with a script',
      { 'node_modules/loupe': entry('loupe', '2.0.0', { hasInstallScript: true }) },
      'test_tools_changed',
    ],
    [
      'a repository',
      { 'node_modules/deep': { version: '1.0.0', resolved: 'git+ssh://git@host.example/deep.git#abc' } },
      'not_from_registry deep',
    ],
    [
      'a link to the tree in the place of a package',
      { 'node_modules/chai': { resolved: 'fake', link: true } },
      'not_from_registry chai',
    ],
    [
      'a link to a new part of the tree',
      { 'node_modules/part': { resolved: 'part', link: true }, part: {} },
      'test_tools_changed',
    ],
    [
      'a registry that is left to npm',
      { 'node_modules/deep': { version: '1.1.0', integrity: 'sha512-y' } },
      'product_only',
    ],
    [
      'an unpacked archive',
      { 'node_modules/deep': { version: '1.1.0', resolved: 'file:deep.tgz' } },
      'not_from_registry deep',
    ],
  ])('%s', (_name, changes, expected) => {
    const base = { 'package.json': manifest, 'package-lock.json': lock({}) };
    const verdict = decide(base, { 'package-lock.json': lock(changes) });
    expect(summary(verdict)).toBe(expected);
  });

  test('registries of the base are named, for the provisioning', () => {
    const base = { 'package.json': manifest, 'package-lock.json': lock({}) };
    const verdict = decide(base, { 'package-lock.json': lock({ 'node_modules/ms': entry('ms', '2.1.0') }) });
    expect(verdict).toMatchObject({ origins: [HOST], locked: { product: ['ms'], test: [] } });
  });

  test('the first version of the format', () => {
    const old = (version: string): string =>
      json({
        lockfileVersion: 1,
        dependencies: {
          ms: { ...entry('ms', '2.0.0'), requires: { deep: '1' }, dependencies: { deep: entry('deep', version) } },
        },
      });
    const base = { 'package.json': manifest, 'npm-shrinkwrap.json': old('1.0.0') };
    expect(summary(decide(base, { 'npm-shrinkwrap.json': old('1.1.0') }))).toBe('product_only');
    expect(summary(decide(base, { 'npm-shrinkwrap.json': old('file:../x') }))).toBe('not_from_registry deep');
  });

  test('a lockfile that is new has no vote; one that is deleted cannot be done without', () => {
    const files = { 'package.json': manifest };
    expect(summary(decide(files, { 'package-lock.json': lock({}) }))).toBe('test_tools_changed');
    const deleted = (text: string): DependencyVerdict =>
      decideDependencies({
        manifests: [{ path: 'package.json', kind: 'package.json', base: manifest, patch: text }],
        lockfiles: [{ path: 'package-lock.json', base: lock({}), patch: null }],
        testTools: new Set(),
      });
    expect(summary(deleted(manifest))).toBe('test_tools_changed');
    expect(summary(deleted('{}'))).toBe('lockfile_deleted package-lock.json');
  });

  test('what cannot be read is refused', () => {
    const base = { 'package.json': manifest, 'package-lock.json': lock({}) };
    expect(summary(decide(base, { 'package-lock.json': '<<<<<<< HEAD' }))).toBe('unreadable package-lock.json');
    expect(summary(decide({ 'bun.lockb': 'a' }, { 'bun.lockb': 'b' }))).toBe('unreadable bun.lockb');
  });
});

describe('other lockfiles', () => {
  const npmManifest = json({ dependencies: { ms: '2' }, devDependencies: { chai: '4' } });
  const pyManifest = '[project]\nname = "x"\ndependencies = ["ms"]\n[dependency-groups]\ndev = ["chai"]\n';

  const pnpm9 = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      ms: { specifier: '2', version: 2.0.0 }
packages:
  ms@2.0.0:
    resolution: {integrity: sha512-ms}
  deep@1.0.0:
    resolution: {integrity: sha512-deep}
  chai@4.0.0:
    resolution: {integrity: sha512-chai}
snapshots:
  ms@2.0.0(react@18.0.0):
    dependencies:
      deep: 1.0.0
  deep@1.0.0: {}
  chai@4.0.0: {}
`;
  const pnpm6 = `lockfileVersion: '6.0'
packages:
  /ms@2.0.0:
    resolution: {integrity: sha512-ms}
    dependencies:
      deep: 1.0.0
  /deep@1.0.0:
    resolution: {integrity: sha512-deep}
    dev: false
  /chai@4.0.0(peer@1.0.0):
    resolution: {integrity: sha512-chai}
    dev: true
`;
  const yarn1 = `# yarn lockfile v1


chai@4:
  version "4.0.0"
  resolved "https://registry.example/chai/-/chai-4.0.0.tgz#aa"
  integrity sha512-chai

"deep@^1.0.0", deep@~1.0.0:
  version "1.0.0"
  resolved "https://registry.example/deep/-/deep-1.0.0.tgz#bb"
  integrity sha512-deep

ms@2:
  version "2.0.0"
  resolved "https://registry.example/ms/-/ms-2.0.0.tgz#cc"
  integrity sha512-ms
  dependencies:
    deep "^1.0.0"
`;
  const berry = `__metadata:
  version: 8

"chai@npm:4":
  version: 4.0.0
  resolution: "chai@npm:4.0.0"
  checksum: 10c0/chai

"deep@npm:^1.0.0":
  version: 1.0.0
  resolution: "deep@npm:1.0.0"
  checksum: 10c0/deep

"ms@npm:2":
  version: 2.0.0
  resolution: "ms@npm:2.0.0"
  dependencies:
    deep: "npm:^1.0.0"
  checksum: 10c0/ms

"x@workspace:.":
  version: 0.0.0-use.local
  resolution: "x@workspace:."
`;
  const uv = `version = 1

[[package]]
name = "x"
version = "0.1"
source = { editable = "." }
dependencies = [{ name = "ms" }]

[[package]]
name = "ms"
version = "2.0"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "deep" }]
wheels = [{ url = "https://files.example/aa/ms-2.0-py3-none-any.whl", hash = "sha256:ms" }]

[[package]]
name = "deep"
version = "1.0"
source = { registry = "https://index.example/simple" }
sdist = { url = "https://files.example/bb/deep-1.0.tar.gz", hash = "sha256:deep" }

[[package]]
name = "chai"
version = "4.0"
source = { registry = "https://index.example/simple" }
`;
  const poetry = `[[package]]
name = "ms"
version = "2.0"
files = [{file = "ms-2.0.tar.gz", hash = "sha256:ms"}]

[package.dependencies]
deep = "*"

[[package]]
name = "deep"
version = "1.0"
files = [{file = "deep-1.0.tar.gz", hash = "sha256:deep"}]

[[package]]
name = "chai"
version = "4.0"
files = [{file = "chai-4.0.tar.gz", hash = "sha256:chai"}]
`;
  const cargo = `version = 4

[[package]]
name = "x"
version = "0.1.0"
dependencies = ["ms"]

[[package]]
name = "ms"
version = "2.0.0"
source = "registry+https://index.example/crates"
checksum = "ms"
dependencies = ["deep 1.0.0"]

[[package]]
name = "deep"
version = "1.0.0"
source = "registry+https://index.example/crates"
checksum = "deep"

[[package]]
name = "chai"
version = "4.0.0"
source = "registry+https://index.example/crates"
checksum = "chai"
`;
  const crate = '[package]\nname = "x"\n[dependencies]\nms = "2"\n[dev-dependencies]\nchai = "4"\n';
  const requirements = 'ms==2.0 \\\n    --hash=sha256:ms\ndeep==1.0  # via ms\npytest==4.0\n';

  type Row = readonly [lock: string, manifest: Files, base: string, from: string, to: string, expected: string];
  test.each<Row>([
    ['pnpm-lock.yaml', { 'package.json': npmManifest }, pnpm9, 'sha512-deep', 'sha512-evil', 'changed_hash deep'],
    ['pnpm-lock.yaml', { 'package.json': npmManifest }, pnpm9, '  deep@1.0.0:\n', '  deep@1.1.0:\n', 'product_only'],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm9,
      '  chai@4.0.0:\n',
      '  chai@4.1.0:\n',
      'test_tools_changed',
    ],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm9,
      '{integrity: sha512-deep}',
      '{tarball: https://evil.example/x.tgz}',
      'not_from_registry deep',
    ],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm9,
      '{integrity: sha512-deep}',
      '{type: git, repo: https://evil.example/x, commit: a}',
      'not_from_registry deep',
    ],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm9,
      '{integrity: sha512-chai}',
      '{directory: fake, type: directory}',
      'not_from_registry chai',
    ],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm9,
      'sha512-deep}',
      'sha512-deep}\n    <<: *x',
      'unreadable pnpm-lock.yaml',
    ],
    ['pnpm-lock.yaml', { 'package.json': npmManifest }, pnpm6, '/deep@1.0.0:', '/deep@1.1.0:', 'product_only'],
    [
      'pnpm-lock.yaml',
      { 'package.json': npmManifest },
      pnpm6,
      '/deep@1.0.0:',
      '/deep@1.1.0:\n    requiresBuild: true',
      'needs_install_script deep',
    ],
    ['pnpm-lock.yaml', { 'package.json': npmManifest }, pnpm6, '/chai@4.0.0(', '/chai@4.1.0(', 'test_tools_changed'],
    ['yarn.lock', { 'package.json': npmManifest }, yarn1, 'version "1.0.0"', 'version "1.1.0"', 'product_only'],
    ['yarn.lock', { 'package.json': npmManifest }, yarn1, 'version "4.0.0"', 'version "4.1.0"', 'test_tools_changed'],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      yarn1,
      'registry.example/deep',
      'evil.example/deep',
      'new_registry deep',
    ],
    ['yarn.lock', { 'package.json': npmManifest }, yarn1, '/deep/-/deep-', '/evil/-/evil-', 'not_from_registry deep'],
    ['yarn.lock', { 'package.json': npmManifest }, yarn1, 'ms@2:', 'ms@2', 'unreadable yarn.lock'],
    ['yarn.lock', { 'package.json': npmManifest }, yarn1, 'chai@4:', 'ms@2:', 'unreadable yarn.lock'],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      berry,
      'resolution: "deep@npm:1.0.0"',
      'resolution: "deep@npm:1.1.0"\n  x: y',
      'unchanged',
    ],
    ['yarn.lock', { 'package.json': npmManifest }, berry, '  version: 1.0.0\n', '  version: 1.1.0\n', 'product_only'],
    ['yarn.lock', { 'package.json': npmManifest }, berry, '"deep@npm:1.0.0"', '"evil@npm:1.0.0"', 'other_package deep'],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      berry,
      '"deep@npm:1.0.0"',
      '"deep@patch:deep@npm%3A1.0.0#optional!builtin<compat/deep>::version=1.0.0&hash=aa"',
      'unchanged',
    ],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      berry,
      '"deep@npm:1.0.0"',
      '"deep@patch:deep@npm%3A1.0.0#./evil.patch::builtin<compat/deep>"',
      'not_from_registry deep',
    ],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      berry,
      '"chai@npm:4.0.0"',
      '"chai@file:./fake.tgz"',
      'not_from_registry chai',
    ],
    [
      'yarn.lock',
      { 'package.json': npmManifest },
      berry,
      '"deep@npm:1.0.0"',
      '"deep@npm:1.0.0::__archiveUrl=https%3A%2F%2Fevil.example%2Fdeep%2F-%2Fdeep-1.0.0.tgz"',
      'new_registry deep',
    ],
    ['uv.lock', { 'pyproject.toml': pyManifest }, uv, 'version = "0.1"', 'version = "0.2"', 'unchanged'],
    ['uv.lock', { 'pyproject.toml': pyManifest }, uv, 'version = "1.0"', 'version = "1.1"', 'product_only'],
    ['uv.lock', { 'pyproject.toml': pyManifest }, uv, 'version = "4.0"', 'version = "4.1"', 'test_tools_changed'],
    ['uv.lock', { 'pyproject.toml': pyManifest }, uv, '/bb/deep-1.0', '/bb/evil-1.0', 'other_package deep'],
    [
      'uv.lock',
      { 'pyproject.toml': pyManifest },
      uv,
      'https://files.example/bb',
      'https://evil.example/bb',
      'new_registry deep',
    ],
    [
      'uv.lock',
      { 'pyproject.toml': pyManifest },
      uv,
      'version = "4.0"\nsource = { registry = "https://index.example/simple" }',
      'version = "4.0"\nsource = { git = "https://evil.example/x" }',
      'not_from_registry chai',
    ],
    ['uv.lock', { 'pyproject.toml': pyManifest }, uv, 'sha256:deep', 'sha256:evil', 'changed_hash deep'],
    ['poetry.lock', { 'pyproject.toml': pyManifest }, poetry, 'version = "1.0"', 'version = "1.1"', 'product_only'],
    [
      'poetry.lock',
      { 'pyproject.toml': pyManifest },
      poetry,
      'version = "4.0"',
      'version = "4.1"',
      'test_tools_changed',
    ],
    [
      'poetry.lock',
      { 'pyproject.toml': pyManifest },
      poetry,
      '[package.dependencies]',
      '[package.source]\ntype = "git"\nurl = "https://evil.example"\n[package.dependencies]',
      'not_from_registry ms',
    ],
    [
      'poetry.lock',
      { 'pyproject.toml': pyManifest },
      poetry,
      '[package.dependencies]',
      '[package.source]\ntype = "legacy"\nurl = "https://evil.example/simple"\n[package.dependencies]',
      'new_registry ms',
    ],
    ['Cargo.lock', { 'Cargo.toml': crate }, cargo, 'version = "1.0.0"', 'version = "1.1.0"', 'product_only'],
    ['Cargo.lock', { 'Cargo.toml': crate }, cargo, 'version = "4.0.0"', 'version = "4.1.0"', 'test_tools_changed'],
    ['Cargo.lock', { 'Cargo.toml': crate }, cargo, 'checksum = "deep"', 'checksum = "evil"', 'changed_hash deep'],
    ['Cargo.lock', { 'Cargo.toml': crate }, cargo, 'version = "0.1.0"', 'version = "0.2.0"', 'unchanged'],
    [
      'Cargo.lock',
      { 'Cargo.toml': crate },
      cargo,
      'source = "registry+https://index.example/crates"\nchecksum = "chai"\n',
      '',
      'not_from_registry chai',
    ],
    [
      'Cargo.lock',
      { 'Cargo.toml': crate },
      cargo,
      'source = "registry+https://index.example/crates"\nchecksum = "deep"',
      'source = "git+https://evil.example/x#abc"',
      'not_from_registry deep',
    ],
    [
      'Cargo.lock',
      { 'Cargo.toml': crate },
      cargo,
      'source = "registry+https://index.example/crates"\nchecksum = "deep"',
      'source = "sparse+https://evil.example/"',
      'new_registry deep',
    ],
    ['go.sum', {}, 'a.example/x v1.0.0 h1:x\n', 'x v1.0.0', 'x v1.1.0', 'product_only'],
    ['go.sum', {}, 'github.com/stretchr/testify v1.0.0 h1:x\n', 'v1.0.0', 'v1.1.0', 'test_tools_changed'],
    ['requirements.txt', {}, requirements, 'ms==2.0', 'ms==2.1', 'product_only'],
    ['requirements.txt', {}, requirements, 'pytest==4.0', 'pytest==4.1', 'test_tools_changed'],
    ['requirements.txt', {}, requirements, 'deep==1.0', 'deep @ git+https://evil.example/x', 'not_from_registry deep'],
    ['requirements.txt', {}, requirements, 'deep==1.0', './deep', 'product_only'],
    ['requirements.txt', {}, requirements, 'deep==1.0', '../deep', 'not_from_registry ../deep'],
    [
      'requirements.txt',
      {},
      requirements,
      'deep==1.0',
      '--index-url https://evil.example',
      'not_from_registry --index-url https://evil.example',
    ],
    ['requirements.txt', {}, requirements, 'sha256:ms', 'sha256:evil', 'changed_hash ms'],
    ['requirements-dev.txt', {}, requirements, 'ms==2.0', 'ms==2.1', 'test_tools_changed'],
    ['requirements/tests.txt', {}, requirements, 'ms==2.0', 'ms==2.1', 'test_tools_changed'],
  ])('%s: %#', (lock, manifest, text, from, to, expected) => {
    expect(text).toContain(from);
    const verdict = decide({ ...manifest, [lock]: text }, { [lock]: text.replace(from, to) });
    expect(summary(verdict)).toBe(expected);
  });
});

describe('workspaces', () => {
  test('a test tool of the root is one in every package', () => {
    const base = {
      'package.json': json({ devDependencies: { own: '1', shared: '1' } }),
      'packages/a/package.json': json({ dependencies: { ms: '1' } }),
      'packages/b/package.json': json({ dependencies: { shared: '1' } }),
    };
    const a = (dependencies: object): Files => ({ 'packages/a/package.json': json({ dependencies }) });
    expect(summary(decide(base, a({ ms: '1', own: '2' })))).toBe('test_tools_changed');
    expect(summary(decide(base, a({ ms: '1', shared: '2' })))).toBe('product_only');
  });

  test('so is what a Cargo workspace lists for the tests of its crates', () => {
    const root = (own: string, ms: string): string => `[workspace.dependencies]\nown = "${own}"\nms = "${ms}"\n`;
    const crate = '[dependencies]\nms = { workspace = true }\n[dev-dependencies]\nown = { workspace = true }\n';
    const base = { 'Cargo.toml': root('1', '1'), 'a/Cargo.toml': crate };
    expect(summary(decide(base, { 'Cargo.toml': root('2', '1') }))).toBe('test_tools_changed');
    expect(summary(decide(base, { 'Cargo.toml': root('1', '2') }))).toBe('product_only');
  });
});

describe('manifests of other languages', () => {
  test.each<readonly [string, string, string, string, string]>([
    ['pyproject.toml', '[project]\ndependencies = ["ms"]\n', '"ms"', '"ms>2"', 'product_only'],
    [
      'pyproject.toml',
      '[project]\ndependencies = ["ms"]\n',
      '"ms"',
      '"ms @ git+https://evil.example/ms"',
      'not_from_registry ms',
    ],
    ['pyproject.toml', '[project]\ndependencies = ["ms"]\n', '"ms"', '"ms @ file:///x/ms"', 'not_from_registry ms'],
    ['pyproject.toml', '[dependency-groups]\ndev = ["x"]\n', '"x"', '"x>1"', 'test_tools_changed'],
    ['pyproject.toml', '[build-system]\nrequires = ["x"]\n', '"x"', '"x>1"', 'test_tools_changed'],
    ['pyproject.toml', '[tool.uv]\nx = 1\n', 'x = 1', 'sources = { ms = { path = "../ms" } }', 'not_from_registry ms'],
    [
      'pyproject.toml',
      '[tool.uv]\nx = 1\n',
      'x = 1',
      'index = [{ name = "own", url = "https://evil.example" }]',
      'not_from_registry own',
    ],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\nms = "1"\n',
      '"1"',
      '{ git = "https://evil.example" }',
      'not_from_registry ms',
    ],
    ['setup.cfg', '[options]\ninstall_requires = ms\n', 'ms', 'ms>2', 'product_only'],
    ['Cargo.toml', '[dependencies]\nms = "1"\n', '"1"', '"2"', 'product_only'],
    ['Cargo.toml', '[dependencies]\nms = "1"\n', '"1"', '{ path = "ms" }', 'not_from_registry ms'],
    ['Cargo.toml', '[dependencies]\nms = "1"\n', 'ms = "1"', 'ms = "1"\npart = { path = "part" }', 'product_only'],
    ['Cargo.toml', '[dependencies]\nms = "1"\n', '"1"', '{ version = "1", registry = "own" }', 'not_from_registry ms'],
    [
      'Cargo.toml',
      '[dependencies]\nms = "1"\n',
      'ms = "1"\n',
      'ms = "1"\n[patch.crates-io]\nx = { path = "y" }\n',
      'not_from_registry x',
    ],
    ['Cargo.toml', '[build-dependencies]\ncc = "1"\n', '"1"', '"2"', 'test_tools_changed'],
    ['go.mod', 'module x\nrequire a.example/ms v1.0.0\n', 'v1.0.0', 'v1.1.0', 'product_only'],
    [
      'go.mod',
      'module x\nrequire a.example/ms v1.0.0\n',
      'v1.0.0',
      'v1.0.0\nreplace a.example/ms => ./ms',
      'not_from_registry a.example/ms',
    ],
    [
      'go.mod',
      'module x\nrequire a.example/ms v1.0.0\n',
      'v1.0.0',
      'v1.0.0\nreplace a.example/ms => b.example/ms v1.0.0',
      'not_from_registry a.example/ms',
    ],
    ['go.mod', 'module x\nrequire github.com/stretchr/testify v1.0.0\n', 'v1.0.0', 'v1.1.0', 'test_tools_changed'],
  ])('%s: %#', (path, text, from, to, expected) => {
    expect(text).toContain(from);
    expect(summary(decide({ [path]: text }, { [path]: text.replace(from, to) }))).toBe(expected);
  });

  test('packages that tests import are test tools', () => {
    const verdict = decide(
      { 'go.mod': 'require a.example/own v1.0.0\n' },
      { 'go.mod': 'require a.example/own v1.1.0\n' },
      ['a.example/own'],
    );
    expect(summary(verdict)).toBe('test_tools_changed');
    expect(verdict.changes).toMatchObject([
      { name: 'a.example/own', path: 'go.mod', group: 'test', change: 'changed', from: 'v1.0.0', to: 'v1.1.0' },
    ]);
  });
});
