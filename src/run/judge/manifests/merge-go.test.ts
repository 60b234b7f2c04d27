import { expect, test } from 'vitest';
import { merge } from './merge.fixture.ts';

const base = `module example.com/slug

go 1.20

require (
	example.com/ms v1.0.0
	github.com/stretchr/testify v1.8.0 // indirect
)
`;
test.each<readonly [string, string, string | null, readonly string[], readonly string[]]>([
  [
    'a dependency',
    base.replace('ms v1.0.0', 'ms v1.1.0'),
    'require example.com/ms v1.1.0\n',
    ['require.example.com/ms'],
    [],
  ],
  ['a test tool', base.replace('v1.8.0', 'v1.9.0'), null, [], ['require.github.com/stretchr/testify']],
  ['replace', `${base}replace example.com/ms => ./fake\n`, null, [], ['replace']],
  ['exclude', `${base}exclude example.com/ms v1.0.0\n`, null, [], ['exclude']],
  ['a toolchain', `${base}toolchain evil\n`, null, [], ['toolchain']],
  [
    'other directives',
    `${base}retract [v1.0.0, v1.1.0]\ngodebug default=go1.1\ntool example.com/x\n`,
    null,
    [],
    ['retract', 'godebug', 'tool'],
  ],
  ['another module', base.replace('/slug', '/other'), null, [], ['module']],
])('%s', (_name, patch, written, fromPatch, fromBase) => {
  const merged = merge('go.mod', base, patch);
  expect(merged.text).toContain(written ?? base);
  expect(merged.fromPatch).toEqual(fromPatch.map((key) => quotedKey(key)));
  expect(merged.fromBase).toEqual(fromBase.map((key) => quotedKey(key)));
  expect(merged.problems).toEqual([]);
});

/** Paths with dots are written in quotes. */
function quotedKey(key: string): string {
  const dot = key.indexOf('.');
  return dot < 0 ? key : `${key.slice(0, dot)}.${JSON.stringify(key.slice(dot + 1))}`;
}

test('everything is written as it was', () => {
  const odd = `${base}replace example.com/a v1.0.0 => "./my dir"\nexclude example.com/b v1.0.0\nretract (\n\tv1.0.0 // bad\n\t[v1.1.0, v1.2.0]\n)\n`;
  expect(merge('go.mod', odd, odd.replace('ms v1.0.0', 'ms v2.0.0+incompatible')).text).toBe(`module example.com/slug
go 1.20
require example.com/ms v2.0.0+incompatible
require github.com/stretchr/testify v1.8.0 // indirect
replace example.com/a v1.0.0 => "./my dir"
exclude example.com/b v1.0.0
retract v1.0.0
retract [ v1.1.0 , v1.2.0 ]
`);
});

test('a raised language version is judged twice', () => {
  const merged = merge('go.mod', base, base.replace('go 1.20', 'go 1.22'));
  expect(merged).toMatchObject({ text: base, contested: ['go'] });
  expect(merged.alternative).toContain('go 1.22\n');
});

test.each([
  ['a module that is required twice', `${base}require example.com/ms v9.0.0\n`],
  ['a block that is not closed', `${base}require (\n`],
  ['a second module', `${base}module x\n`],
  ['a comment of another kind', `${base}/* x */ replace a => b\n`],
])('%s: refused', (_name, patch) => {
  expect(merge('go.mod', base, patch)).toMatchObject({ text: base, problems: [expect.any(String)] });
});

test('hashes of both sides are there, and none may change', () => {
  const merged = merge('go.sum', 'a v1 h1:x\nb v1 h1:y\n', 'a v1 h1:x\na v2 h1:z\n');
  expect(merged).toMatchObject({ text: 'a v1 h1:x\nb v1 h1:y\na v2 h1:z\n', problems: [] });
  expect(merge('go.sum', 'a v1 h1:x\n', 'a v1 h1:evil\n').problems).toEqual(['has another hash of a v1 than the base']);
});
