import { expect, test } from 'vitest';
import { planSetup } from './plan.ts';
import { rebuildCommand } from './rebuild.ts';

const LOCK = '{"packages": {"node_modules/x": {}}}';

function rebuild(command: string, files: Record<string, string>, made: readonly string[]): string | null {
  const readers = { paths: Object.keys(files), read: (path: string) => files[path] ?? null };
  return rebuildCommand(planSetup(command, readers), readers, made);
}

const node = (scripts: object): Record<string, string> => ({
  'package.json': JSON.stringify({ scripts }),
  'package-lock.json': LOCK,
});

test.each([
  ['npm ci', node({ prepare: 'tsc', test: 'x' }), ['dist/a.js'], 'npm run prepare'],
  ['npm ci', node({ postinstall: 'a', prepare: 'b' }), ['dist/a.js'], 'npm run postinstall && npm run prepare'],
  ['npm ci', node({ prepare: 'tsc' }), [], null],
  ['npm ci', node({ prepare: 'husky' }), ['.husky/_/h'], null],
  ['npm ci && npm run build', node({}), ['dist/a.js'], 'npm run build'],
  ['pip install -e . && make ext', {}, ['a.so'], 'make ext'],
  ['go mod download && go generate ./...', {}, ['gen.go'], 'go generate ./...'],
  ['cargo fetch', {}, ['vendor/x'], null],
  ['make one; make two', {}, ['out'], 'make one; make two'],
  ['for n in 1 2; do make $n; done', {}, ['out'], 'for n in 1 2; do make $n; done'],
  ['for n in a b; do pip install $n; done', {}, ['out'], null],
  [
    'python3 -m venv .venv && .venv/bin/pip install -e .',
    { 'setup.py': '' },
    ['a.so'],
    'python3 setup.py build_ext --inplace',
  ],
  ['python3 -m venv .venv && .venv/bin/pip install -e .', {}, ['own.egg-info/PKG-INFO'], null],
])('what %s made is made again', (command, files, made, expected) => {
  expect(rebuild(command, files, made)).toBe(expected);
});
