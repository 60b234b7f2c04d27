import { expect, test } from 'vitest';
import { mergeToml, plainToml } from './merge.fixture.ts';

const base = `
[package]
name = "slug"
version = "1.0.0"
edition = "2021"

[features]
default = ["std"]
std = []

[dependencies]
ms = "1"

[dev-dependencies]
own = "1"

[[bin]]
name = "slug"
path = "src/main.rs"
test = true
`;
const value = plainToml(base);

test.each<readonly [string, string, object, readonly string[], readonly string[]]>([
  [
    'a release',
    base.replace('1.0.0', '1.1.0'),
    { package: { ...value.package, version: '1.1.0' } },
    ['package.version'],
    [],
  ],
  ['a dependency', base.replace('ms = "1"', 'ms = "2"'), { dependencies: { ms: '2' } }, ['dependencies.ms'], []],
  [
    'the same as a table of its own, for one platform',
    `${base}[target.'cfg(unix)'.dependencies.libc]\nversion = "1"\n[target.'cfg(unix)'.dev-dependencies]\nx = "1"\n`,
    { target: { 'cfg(unix)': { dependencies: { libc: { version: '1' } } } } },
    ['target."cfg(unix)".dependencies.libc'],
    ['target."cfg(unix)".dev-dependencies'],
  ],
  ['a test tool', base.replace('own = "1"', 'own = { path = "fake" }'), {}, [], ['dev-dependencies']],
  [
    'a test tool that the product begins to use: as the base has it',
    base.replace('ms = "1"', 'ms = "1"\nown = { path = "fake" }'),
    { dependencies: { ms: '1', own: '1' } },
    ['dependencies.own'],
    ['dependencies.own'],
  ],
  [
    'a test tool under another name',
    base.replace('ms = "1"', 'ms = "1"\nx = { package = "proptest" }'),
    {},
    [],
    ['dependencies.x'],
  ],
  ['[patch]', `${base}[patch.crates-io]\nown = { path = "fake" }\n`, {}, [], ['patch']],
  ['[replace]', `${base}[replace]\n"own:1.0.0" = { path = "fake" }\n`, {}, [], ['replace']],
  ['a build script', base.replace('edition', 'build = "evil.rs"\nedition'), {}, [], ['package.build']],
  ['tests switched off', base.replace('edition', 'autotests = false\nedition'), {}, [], ['package.autotests']],
  ['a profile', `${base}[profile.test]\ndebug-assertions = false\n`, {}, [], ['profile']],
  ['a test target', `${base}[[test]]\nname = "x"\nharness = false\n`, {}, [], ['test']],
  [
    'the library',
    `${base}[lib]\nharness = false\ntest = false\ndoctest = false\npath = "fake.rs"\ncrate-type = ["rlib"]\n`,
    { lib: { 'crate-type': ['rlib'] } },
    ['lib.crate-type'],
    ['lib.harness', 'lib.test', 'lib.doctest', 'lib.path'],
  ],
  [
    'programs: what they are, not whether they are tested',
    base.replace(
      'path = "src/main.rs"\ntest = true',
      'path = "src/cli.rs"\ntest = false\nharness = false\n[[bin]]\nname = "two"\ntest = false',
    ),
    { bin: [{ name: 'slug', path: 'src/cli.rs', test: true }, { name: 'two' }] },
    ['bin'],
    ['bin'],
  ],
  [
    'features, but nothing of a test tool',
    base.replace('std = []', 'std = ["own/fake", "ms/std"]\nnew = ["dep:ms"]'),
    { features: { default: ['std'], std: ['ms/std'], new: ['dep:ms'] } },
    ['features.std', 'features.new'],
    ['features.std'],
  ],
  [
    'a workspace',
    `${base}[workspace]\nmembers = ["fake"]\n[workspace.dependencies]\nms = "1"\n`,
    { workspace: { dependencies: { ms: '1' } } },
    ['workspace.dependencies.ms'],
    ['workspace.members'],
  ],
  ['lints', `${base}[lints.rust]\nunsafe_code = "allow"\n`, {}, [], ['lints']],
])('%s', (_name, patch, effect, fromPatch, fromBase) => {
  const merged = mergeToml('Cargo.toml', base, patch);
  expect(merged.value).toEqual({ ...value, ...effect });
  expect(merged).toMatchObject({ fromPatch, fromBase, problems: [] });
});

test('a changed edition is judged twice', () => {
  const merged = mergeToml('Cargo.toml', base, base.replace('"2021"', '"2024"'));
  expect(merged.text).toBe(base);
  expect(merged.contested).toEqual(['package.edition']);
  expect(merged.alternative).toContain('edition = "2024"');
});

test('a new crate has no tests that a key could switch off', () => {
  const merged = mergeToml(
    'Cargo.toml',
    null,
    '[package]\nname = "part"\nversion = "1.0.0"\nedition = "2024"\nbuild = "x.rs"\n[lib]\nproc-macro = true\n[dependencies]\nms = "1"\n[patch.crates-io]\nx = { path = "y" }\n',
  );
  expect(merged.value).toEqual({
    package: { name: 'part', version: '1.0.0', edition: '2024' },
    lib: { 'proc-macro': true },
    dependencies: { ms: '1' },
  });
});
