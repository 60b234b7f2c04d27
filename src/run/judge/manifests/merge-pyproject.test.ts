import { expect, test } from 'vitest';
import { merge, mergeToml, plainToml } from './merge.fixture.ts';

const base = `
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "slug"
version = "1.0"
dependencies = ["requests>=2", "Pytest_Mock"]

[project.optional-dependencies]
redis = ["redis"]
test = ["pytest>=7"]

[dependency-groups]
dev = ["hypothesis"]

[tool.pytest.ini_options]
addopts = "-ra"
`;
const value = plainToml(base);

test.each<readonly [string, readonly [string, string], object, readonly string[], readonly string[]]>([
  ['a release', ['"1.0"', '"1.1"'], { project: { ...value.project, version: '1.1' } }, ['project.version'], []],
  [
    'a product dependency, the test tool beside it kept',
    ['["requests>=2", "Pytest_Mock"]', '["requests>=3", "pytest.mock @ file:fake"]'],
    { project: { ...value.project, dependencies: ['requests>=3', 'Pytest_Mock'] } },
    ['project.dependencies'],
    ['project.dependencies'],
  ],
  [
    'an extra of the product',
    ['["redis"]', '["redis>5"]'],
    { project: { ...value.project, 'optional-dependencies': { redis: ['redis>5'], test: ['pytest>=7'] } } },
    ['project.optional-dependencies.redis'],
    [],
  ],
  ['an extra for tests', ['pytest>=7', 'pytest>=8'], {}, [], ['project.optional-dependencies.test']],
  ['a group for development', ['"hypothesis"', '"evil"'], {}, [], ['dependency-groups']],
  ['settings of pytest', ['"-ra"', '"-p evil"'], {}, [], ['tool']],
  [
    'the same as dotted keys',
    ['[tool.pytest.ini_options]\naddopts = "-ra"', '[tool]\npytest.ini_options.addopts = "-k no"'],
    {},
    [],
    ['tool'],
  ],
  [
    'a build backend of the tree',
    ['"setuptools.build_meta"', '"evil"\nbackend-path = ["."]'],
    {},
    [],
    ['build-system'],
  ],
  ['the name', ['"slug"', '"pytest"'], {}, [], ['project.name']],
  [
    'a program',
    [
      '[dependency-groups]',
      '[project.scripts]\nslug = "slug:main"\npytest = "slug:fake"\npython3 = "slug:fake"\n[dependency-groups]',
    ],
    { project: { ...value.project, scripts: { slug: 'slug:main' } } },
    ['project.scripts.slug'],
    ['project.scripts.pytest', 'project.scripts.python3'],
  ],
  [
    'plugins: its own, not those of pytest',
    [
      '[dependency-groups]',
      '[project.entry-points]\n"slug.x" = { a = "b" }\npytest11 = { a = "b" }\nhypothesis = { a = "b" }\n[dependency-groups]',
    ],
    { project: { ...value.project, 'entry-points': { 'slug.x': { a: 'b' } } } },
    ['project.entry-points."slug.x".a'],
    ['project.entry-points.pytest11', 'project.entry-points.hypothesis'],
  ],
  [
    'which packages belong to it, not code that builds it',
    [
      '[dependency-groups]',
      '[tool.setuptools]\npackages = ["slug"]\ncmdclass = { build = "evil" }\n[dependency-groups]',
    ],
    { tool: { ...value.tool, setuptools: { packages: ['slug'] } } },
    ['tool.setuptools.packages'],
    ['tool.setuptools.cmdclass'],
  ],
])('%s', (_name, [from, to], effect, fromPatch, fromBase) => {
  expect(base).toContain(from);
  const merged = mergeToml('pyproject.toml', base, base.replace(from, to));
  expect(merged.value).toEqual({ ...value, ...effect });
  expect(merged.fromPatch).toEqual(fromPatch);
  expect(merged.fromBase).toEqual(
    fromBase.map((key) => expect.stringMatching(new RegExp(`^${key.replaceAll('.', '\\.')}`))),
  );
});

test('nothing that decides is read from another file that the patch names', () => {
  const merged = mergeToml(
    'pyproject.toml',
    base,
    base
      .replace('version = "1.0"', 'dynamic = ["version", "entry-points", "dependencies"]')
      .replace(
        '[dependency-groups]',
        '[tool.setuptools.dynamic]\nversion = { attr = "slug.VERSION" }\nentry-points = { file = "x.txt" }\n[dependency-groups]',
      ),
  );
  expect(merged.value).toMatchObject({ project: { dynamic: ['version'] } });
  expect(merged.value?.['tool']).toEqual({
    ...value['tool'],
    setuptools: { dynamic: { version: { attr: 'slug.VERSION' } } },
  });
});

test('poetry: dependencies by name, groups and sources from the base', () => {
  const poetry = (rest: string): string => `[tool.poetry]\nname = "slug"\n${rest}`;
  const merged = mergeToml(
    'pyproject.toml',
    poetry('[tool.poetry.dependencies]\npython = "^3.9"\nms = "1"\n[tool.poetry.group.qa.dependencies]\nown = "1"\n'),
    poetry(
      '[tool.poetry.dependencies]\npython = "^2"\nms = "2"\nown = "2"\n[tool.poetry.group.qa.dependencies]\nown = "2"\n[[tool.poetry.source]]\nname = "x"\nurl = "https://x.example"\n',
    ),
  );
  expect(merged.value).toEqual({
    tool: {
      poetry: {
        name: 'slug',
        dependencies: { python: '^3.9', ms: '2' },
        group: { qa: { dependencies: { own: '1' } } },
      },
    },
  });
});

test.each([
  ['a key that is there twice', 'a = 1\na = 2\n'],
  ['a table that is there twice', '[tool.pytest]\n[tool.pytest]\n'],
  ['a list of tables in the place of a table', '[tool]\n[[tool]]\n'],
  ['text that is no TOML', '{"a": 1}'],
])('%s: refused', (_name, patch) => {
  const merged = merge('pyproject.toml', base, patch);
  expect(merged.text).toBe(base);
  expect(merged.problems).toEqual([expect.stringMatching(/^is not TOML: line \d+/)]);
});

test('a key with very many dots: refused', () => {
  expect(merge('pyproject.toml', base, `${'a.'.repeat(100_000)}b = 1\n`).problems).toEqual([
    'nests deeper than 100 levels',
  ]);
});

test('numbers, dates and floats keep their kind', () => {
  const odd = '[tool.x]\na = 1.0\nb = 9007199254740993\nc = 1979-05-27\nd = 07:32:00\ne = inf\n';
  const merged = merge('pyproject.toml', odd, `${odd}[project]\nversion = "1"\n`);
  expect(merged.text).toBe(
    `[tool.x]\na = 1.0\nb = 9007199254740993\nc = 1979-05-27\nd = 07:32:00.000\ne = inf\n\n[project]\nversion = "1"\n`,
  );
});
