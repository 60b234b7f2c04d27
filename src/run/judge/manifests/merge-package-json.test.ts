import { expect, test } from 'vitest';
import { merge } from './merge.fixture.ts';

const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function mergeJson(base: object | null, patch: object | null, tools: readonly string[] = []) {
  const texts = [base, patch].map((value) => (value === null ? null : written(value)));
  const merged = merge('package.json', texts[0] ?? null, texts[1] ?? null, tools);
  return { ...merged, value: merged.text === null ? null : (JSON.parse(merged.text) as unknown) };
}

const base = {
  name: 'slug',
  version: '1.0.0',
  main: 'index.js',
  scripts: { test: 'npm run unit && run-s check:*', unit: 'mocha', build: 'tsc' },
  dependencies: { ms: '^2.0.0' },
  devDependencies: { chai: '^4.0.0' },
  mocha: { spec: 'test/*.js' },
};

test.each<readonly [string, object, object, readonly string[], readonly string[]]>([
  ['a release', { version: '1.1.0' }, { version: '1.1.0' }, ['version'], []],
  ['a new entry point', { exports: { '.': './a.js' } }, { exports: { '.': './a.js' } }, ['exports'], []],
  ['another test command', { scripts: { ...base.scripts, test: 'true' } }, {}, [], ['scripts.test']],
  ['a script that the test command calls', { scripts: { ...base.scripts, unit: ':' } }, {}, [], ['scripts.unit']],
  ['a script beside it', { scripts: { ...base.scripts, build: ':' } }, {}, [], ['scripts.build']],
  ['all scripts removed', { scripts: undefined }, {}, [], ['scripts.test', 'scripts.unit', 'scripts.build']],
  ['a hook before the tests', { scripts: { ...base.scripts, pretest: ':' } }, {}, [], ['scripts.pretest']],
  ['a hook of a called script', { scripts: { ...base.scripts, postunit: ':' } }, {}, [], ['scripts.postunit']],
  ['a script run at installation', { scripts: { ...base.scripts, prepare: ':' } }, {}, [], ['scripts.prepare']],
  ['a script that a pattern calls', { scripts: { ...base.scripts, 'check:x': ':' } }, {}, [], ['scripts.check:x']],
  [
    'a script that nothing calls',
    { scripts: { ...base.scripts, docs: 'typedoc', preview: 'vite' } },
    { scripts: { ...base.scripts, docs: 'typedoc', preview: 'vite' } },
    ['scripts.docs', 'scripts.preview'],
    [],
  ],
  ['settings of the runner', { mocha: { spec: 'none' } }, {}, [], ['mocha']],
  ['settings of another runner', { jest: { testMatch: [] } }, {}, [], ['jest']],
  ['a key that nobody knows', { wireit: { test: {} } }, {}, [], ['wireit']],
  [
    'a name that an installed package has',
    { name: 'chai', exports: './a.js' },
    { exports: './a.js' },
    ['exports'],
    ['name'],
  ],
  [
    'a product dependency',
    { dependencies: { ms: '^3.0.0' } },
    { dependencies: { ms: '^3.0.0' } },
    ['dependencies.ms'],
    [],
  ],
  ['a test tool', { devDependencies: { chai: '^9.0.0' } }, {}, [], ['devDependencies.chai']],
  ['a test tool among the product', { dependencies: { ms: '^2.0.0', chai: '^9.0.0' } }, {}, [], ['dependencies.chai']],
  ['a known runner among the product', { dependencies: { ms: '^2.0.0', mocha: '1' } }, {}, [], ['dependencies.mocha']],
  ['a test tool as optional', { optionalDependencies: { chai: 'npm:x@1' } }, {}, [], ['optionalDependencies.chai']],
  ['a test tool as peer', { peerDependencies: { chai: '9' } }, {}, [], ['peerDependencies.chai']],
  ['overrides', { overrides: { chai: '1' } }, {}, [], ['overrides']],
  ['resolutions', { resolutions: { chai: '1' } }, {}, [], ['resolutions']],
  ['overrides of pnpm', { pnpm: { overrides: { chai: '1' } } }, {}, [], ['pnpm']],
  ['bundled packages', { bundledDependencies: ['chai'] }, {}, [], ['bundledDependencies']],
  ['workspaces', { workspaces: ['fake'] }, {}, [], ['workspaces']],
  ['a program of the product', { bin: { slug: 'x.js' } }, { bin: { slug: 'x.js' } }, ['bin'], []],
  ['a program named like the runner', { bin: { mocha: 'x.js' } }, {}, [], ['bin']],
  [
    'replacements for browsers',
    { browser: { './a.js': './b.js', chai: './c.js' } },
    { browser: { './a.js': './b.js' } },
    ['browser'],
    ['browser'],
  ],
  ['a list of scripts that is none', { scripts: 'rm' }, {}, [], ['scripts']],
])('%s', (_name, changes, effect, fromPatch, fromBase) => {
  const merged = mergeJson(base, { ...base, ...changes });
  expect(merged.value).toEqual({ ...base, ...effect });
  expect(merged).toMatchObject({ change: 'changed', fromPatch, fromBase, problems: [] });
});

test('conditions of exports are tried in order, so a changed order is a change', () => {
  const merged = mergeJson(
    { exports: { import: './a.mjs', default: './a.js' } },
    { exports: { default: './a.js', import: './a.mjs' } },
  );
  expect(merged.text).toBe(written({ exports: { default: './a.js', import: './a.mjs' } }));
});

test('a changed module type is judged with the base’s and, for comparison, with the patch’s', () => {
  const merged = mergeJson({ main: 'a.js' }, { main: 'b.js', type: 'module', imports: { '#x': './x.js' } });
  expect(merged.value).toEqual({ main: 'b.js' });
  expect(merged.contested).toEqual(['type', 'imports']);
  expect(JSON.parse(merged.alternative!)).toEqual({ main: 'b.js', type: 'module', imports: { '#x': './x.js' } });
  expect(mergeJson({ main: 'a.js' }, { main: 'b.js' }).alternative).toBeNull();
});

test('packages that tests import count as test tools, wherever they stand', () => {
  const deps = (version: string) => ({ dependencies: { 'own-assertions': version } });
  expect(mergeJson(deps('1'), deps('2'), ['own-assertions']).value).toEqual(deps('1'));
  expect(mergeJson(deps('1'), deps('2')).value).toEqual(deps('2'));
});

test('of a new file only what the product needs is there', () => {
  const merged = mergeJson(null, {
    name: 'part',
    type: 'module',
    main: 'a.js',
    scripts: { test: 'true', pretest: 'x', docs: 'y' },
    jest: {},
    devDependencies: { chai: '1' },
  });
  expect(merged.value).toEqual({ name: 'part', type: 'module', main: 'a.js', scripts: { docs: 'y' } });
  expect(merged.change).toBe('added');
  expect(mergeJson(null, { name: 'chai', exports: './a.js' }, ['chai']).value).toEqual({ exports: './a.js' });
});

test('a new file without anything of the product is not there at all', () => {
  expect(mergeJson(null, { jest: { testMatch: [] } })).toMatchObject({ text: null, fromBase: ['jest'] });
  expect(mergeJson(null, {})).toMatchObject({ text: null });
});

test('a deleted file stays', () => {
  expect(mergeJson(base, null)).toMatchObject({ change: 'deleted', text: written(base), fromBase: Object.keys(base) });
});

test.each([
  ['comments', '{ // x\n "main": "a.js" }', /^is not JSON/],
  ['a trailing comma', '{ "main": "a.js", }', /^is not JSON/],
  ['another value', '["main"]', 'is not a JSON object'],
  [
    'a key that is there twice',
    '{ "main": "a", "scripts": { "test": "x", "t\\u0065st": "y" } }',
    'has the key "test" twice',
  ],
  ['a file too large', `{ "main": "${'a'.repeat(2 ** 20)}" }`, /^is larger than/],
  ['a file too deep', `{ "main": ${'['.repeat(5000)}${']'.repeat(5000)} }`, /^nests deeper than/],
])('%s: refused, and the base’s file stays', (_name, patch, problem) => {
  const merged = merge('package.json', written(base), patch);
  expect(merged.text).toBe(written(base));
  expect(merged.problems).toEqual([expect.stringMatching(problem)]);
});

test('a base that does not parse is no ground for merging, unless it is left as it is', () => {
  expect(merge('package.json', '{', '{}').problems).toEqual([expect.stringMatching(/\(in the base\)$/)]);
  expect(merge('package.json', '{', '{').problems).toEqual([]);
});

test('a key that is there twice with the same text is no riddle', () => {
  const twice = '{ "dependencies": { "ms": "^2.0.0", "ms": "^2.0.0" } }';
  expect(merge('package.json', '{}', twice)).toMatchObject({ fromPatch: ['dependencies.ms'], problems: [] });
});

test('a byte order mark is no part of the file', () => {
  expect(merge('package.json', '{}', '\uFEFF{"main":"a.js"}').text).toBe('{\n  "main": "a.js"\n}\n');
});

test('keys that JavaScript objects treat specially are keys like any other', () => {
  const merged = merge('package.json', '{"a":1}', '{"__proto__":{"jest":{}},"constructor":1,"main":"a"}');
  expect(merged.text).toBe('{\n  "a": 1,\n  "main": "a"\n}\n');
  expect(merge('package.json', '{"__proto__":{"x":1}}', '{"main":"a"}').text).toBe(
    '{\n  "__proto__": {\n    "x": 1\n  },\n  "main": "a"\n}\n',
  );
});

test('a new package that the product loads is its own, also in the list for development; a test tool is not', () => {
  const patch = { ...base, devDependencies: { chai: '^5.0.0', glob: '^1.0.0', sinon: '^1.0.0', eslint: '^9.0.0' } };
  const merged = merge('package.json', written(base), written(patch), [], ['chai', 'glob', 'sinon']);
  expect(JSON.parse(merged.text ?? '')).toEqual({ ...base, devDependencies: { chai: '^4.0.0', glob: '^1.0.0' } });
  expect(merged.dependencies.filter(({ group }) => group === 'product').map(({ name }) => name)).toEqual(['glob']);
});

test('conditions that only developers and test runners set are not for users, unless the base has them', () => {
  const dev = { '.': { development: './dev.js', import: './a.mjs', default: './a.js' } };
  const shown = { '.': { import: './a.mjs', default: './a.js' } };
  const merged = merge('package.json', written({ exports: './a.js' }), written({ exports: dev }));
  expect(JSON.parse(merged.text ?? '')).toEqual({ exports: shown });
  const known = { '.': { development: './old.js', default: './a.js' } };
  expect(JSON.parse(merge('package.json', written({ exports: known }), written({ exports: dev })).text ?? '')).toEqual({
    exports: dev,
  });
});
