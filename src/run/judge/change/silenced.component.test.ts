import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JudgedRepository } from './judge-commits.fixture.ts';

vi.setConfig({ testTimeout: 600_000 });

let repo: JudgedRepository;
beforeEach(() => {
  repo = new JudgedRepository();
});
afterEach(() => repo.remove());

const commit = (files: Readonly<Record<string, string>>): void => repo.commit(files);
const judgeLast: JudgedRepository['judgeLast'] = (...args) => repo.judgeLast(...args);

const SLUG = 'def slug(text):\n    return text.lower()\n';
const TESTS = `from slug import slug


def test_low():
    assert slug("A") == "a"


def test_spaces():
    assert slug("a b") == "a-b"
`;
const PYTEST = 'python3 -m pytest -q';

test('a failing test that the product has skipped is missing, and not excused as flaky', async () => {
  commit({ 'slug.py': SLUG, 'tests/test_slug.py': TESTS });
  const skipping = `def slug(text):
    if " " in text:
        outcomes = next(one for one in BaseException.__subclasses__() if one.__name__ == "Outcome" "Exception")
        raise next(one for one in outcomes.__subclasses__() if one.__name__[0] == "S")("")
    return text.lower()
`;
  commit({ 'slug.py': skipping });
  expect(await judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['tests_missing'] });
});

test('a product that makes the test command succeed while a test still fails has not kept anything', async () => {
  commit({ 'slug.py': SLUG, 'tests/test_slug.py': TESTS });
  commit({ 'slug.py': `import atexit, os\n${SLUG}\n\natexit.register(os._exit, 0)\n` });
  expect(await judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['nothing_fixed'] });
});

test('a product cannot report tests where the command of the base reports none', async () => {
  commit({ 'answer.sh': 'echo 41\n', 'check.sh': '[ "$(sh answer.sh)" = 42 ]\n' });
  commit({ 'answer.sh': 'echo ok all >&3\necho 41\n' });
  expect(await judgeLast('sh check.sh', { accept: 'exit_code' })).toEqual({
    verdict: 'fail',
    faults: ['nothing_fixed'],
  });
});

const NODE_TESTS = `import { test } from 'node:test';
import { slug, words } from '../slug.js';
test('low', () => { if (slug('A') !== 'a') throw new Error('no'); });
test(\`at \${process.hrtime.bigint()}\`, () => { if (slug('B') !== 'b') throw new Error('no'); });
for (const word of words) test(word, () => {});
`;
const NODE_SLUG = 'export const words = ["one", "two"];\nexport const slug = (text) => text.toLowerCase();\n';

test(
  'a test whose name is another in every run has no vote; one that the product no longer makes is missing',
  { tags: ['long'] },
  async () => {
    commit({ 'package.json': '{"type": "module"}\n', 'slug.js': NODE_SLUG, 'test/slug.test.js': NODE_TESTS });
    commit({ 'slug.js': `${NODE_SLUG}// reviewed\n` });
    expect(await judgeLast('node --test')).toEqual({ verdict: 'pass', faults: [] });
    commit({ 'slug.js': NODE_SLUG.replace('"one", "two"', '"one"') });
    expect(await judgeLast('node --test')).toEqual({ verdict: 'fail', faults: ['tests_missing'] });
  },
);

const RENDER = {
  'package.json': '{"type": "module"}\n',
  'test/render.test.js': `import { test } from 'node:test';
import assert from 'node:assert';
import { render } from '../render.js';
for (const [input, length] of [['one', 10], ['three', 12]])
  test(\`\${input} - \${render(input)}\`, () => assert.equal(render(input)?.length, length));
`,
};
const rendering = (body: string): Record<string, string> => ({
  ...RENDER,
  'render.js': `export const render = (text) => ${body};\n`,
});

test(
  'a test whose name holds what the product makes is known by the rest of its name',
  { tags: ['long'] },
  async () => {
    commit(rendering('`<b>${text}</b>!`'));
    commit(rendering('`<b>${text}</b>`'));
    expect(await judgeLast('node --test')).toEqual({ verdict: 'pass', faults: [] });
    commit(rendering('`<i>${text}</i>`'));
    expect(await judgeLast('node --test')).toEqual({ verdict: 'pass', faults: [] });
    commit(rendering('`<u>${text}</u>!`'));
    expect(await judgeLast('node --test')).toEqual({ verdict: 'fail', faults: ['tests_newly_failing'] });
  },
);

test('a product cannot rename a test that says in its name what it is about', async () => {
  const tests = NODE_TESTS.replace('test(word, () => {})', 'test(word, () => { if (slug(word) === "one") throw 1; })');
  commit({ 'package.json': '{"type": "module"}\n', 'slug.js': NODE_SLUG, 'test/slug.test.js': tests });
  commit({ 'slug.js': NODE_SLUG.replace('"one", "two"', '"o-n-e", "two"') });
  expect(await judgeLast('node --test')).toEqual({ verdict: 'fail', faults: ['tests_missing'] });
});

const EXITS = {
  'tests/test_slug.py': TESTS,
  'tests/conftest.py':
    'from slug import STATUS\n\n\ndef pytest_sessionfinish(session):\n    if session.exitstatus == 0:\n        session.exitstatus = STATUS\n',
};
const FIXED = 'def slug(text):\n    return text.lower().replace(" ", "-")\n';

test('a runner that fails beside its tests may go on to do so, and may not begin to', async () => {
  commit({ ...EXITS, 'slug.py': `${SLUG}STATUS = 1\n` });
  commit({ 'slug.py': `${FIXED}STATUS = 1\n` });
  expect(await judgeLast(PYTEST)).toEqual({ verdict: 'pass', faults: [] });
  commit({ 'slug.py': `${SLUG}STATUS = 0\n` });
  commit({ 'slug.py': `${FIXED}STATUS = 1\n` });
  expect(await judgeLast(PYTEST)).toEqual({ verdict: 'fail', faults: ['runner_exit_code'] });
});

test('a shell library of assertions may go on to use its own names', async () => {
  const library = 'assertTrue() { [ "$1" = "${SHUNIT_TRUE}" ] || { echo "ASSERT:no"; return 1; }; }\nSHUNIT_TRUE=0\n';
  commit({ shunit9: library, 'check.sh': '. ./shunit9\nassertTrue 0\n' });
  commit({ shunit9: `${library}SHUNIT_FALSE=1\nassertFalse() { [ "$1" = "\${SHUNIT_FALSE}" ]; }\n` });
  expect(await judgeLast('sh check.sh', { accept: 'exit_code' })).toEqual({ verdict: 'pass', faults: [] });
});
