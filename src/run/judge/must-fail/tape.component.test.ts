import { expect, test } from 'vitest';
import { npmPackages } from '../../../confine/tools/npm-packages.fixture.ts';
import { tryMustFail } from './must-fail.fixture.ts';

const TESTS = `const test = require('tape');
const { slug } = require('../slug.js');
test('lower', (t) => { t.equal(slug('ABC'), 'abc'); t.end(); });
test('spaces', (t) => { t.plan(1); t.equal(slug('a b'), 'a-b'); });
test('more', (t) => { t.equal(slug('Hello World'), 'hello-world'); t.end(); });
`;
const BASE = 'exports.slug = (text) => text.toLowerCase();\n';
const FORGED = `const { Test } = require('tape');
const own = Test.prototype._assert;
Test.prototype._assert = function (ok, opts) { return own.call(this, true, { ...opts, operator: 'pass' }); };
${BASE}`;

test.for([
  ['an honest fix is checked', "exports.slug = (text) => text.toLowerCase().replaceAll(' ', '-');\n", 'checked', 0],
  ['assertions that always pass are found', FORGED, 'in_process', 1],
] as const)('tape: %s', { timeout: 120_000 }, async ([, code, isolation, faults], context) => {
  const source =
    (await npmPackages('tape', '5.10.2')) ?? context.skip('tape could not be installed: no registry is in reach');
  const found = await tryMustFail({
    runner: 'tape',
    command: 'tape test/*.js',
    tests: { 'test/slug.js': TESTS },
    base: { 'package.json': '{}', 'slug.js': BASE },
    patch: { 'package.json': '{}', 'slug.js': code },
    terms: { readOnly: [{ source, target: '/workspace/node_modules', mode: 'ro' }] },
  });
  expect(found.fixed).toEqual(['test/slug.js::spaces', 'test/slug.js::more']);
  expect([found.isolation, found.faults.length]).toEqual([isolation, faults]);
});
