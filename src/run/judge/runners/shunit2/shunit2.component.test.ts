import { expect, test } from 'vitest';
import { judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';

const TIMEOUT = { timeout: 60_000 };

/** What shunit2 does and prints, as far as a test needs it. The real one is another project's. */
const SHUNIT2 = `# a small shunit2
assertEquals() { [ "$1" = "$2" ] && return 0; echo "ASSERT:expected:<$1> but was:<$2>"; __failed=$((__failed + 1)); return 1; }
startSkipping() { __skip=1; __skipped=1; }
__failed=0 __ended= __skipped=0
__end() { [ -n "$__ended" ] || { echo 'ASSERT:unknown failure encountered running a test'; __failed=1; __conclude; exit 2; }; }
__conclude() { echo; echo "Ran $# tests."; echo; if [ $__failed = 0 ]; then echo OK; else echo "FAILED (failures=$__failed)"; fi; }
trap __end EXIT
[ "\${1-}" = -- ] && shift || set -- $(sed -n 's/^\\(test[A-Za-z0-9_]*\\) *().*/\\1/p' "$0")
for __test in "$@"; do echo "$__test"; __skip=0; $__test || echo "shunit2:ERROR $__test() returned non-zero return code." >&2; done
__conclude "$@"; __ended=1; [ $__failed = 0 ]; exit
`;
const TESTS = {
  'lib/shunit2': SHUNIT2,
  'tests/slug.sh': `#!/bin/sh
testWords() { assertEquals hello-world "$(./slug 'Hello World')"; }
test_odd() {
  assertEquals a-b "$(./slug 'a, b')"
}
testSkipped() { startSkipping; }
. ./lib/shunit2
`,
};
const IDS = ['testSkipped', 'testWords', 'test_odd'].map((name) => `tests/slug.sh::${name}`);
const HONEST = '#!/bin/sh\nprintf "%s\\n" "$1" | tr "A-Z" "a-z" | tr -cs "a-z0-9\\n" "-"\n';

function judgeTree(slug: string, terms: Partial<JudgeRequest> = {}, more = {}): Promise<JudgeResult> {
  return judgeCopies(
    { tree: { ...TESTS, slug, ...more }, tests: null },
    { testCommand: 'sh tests/slug.sh', isolation: 'in_process', ...terms },
  );
}

test('a correct patch passes, every test by its name and file', TIMEOUT, async () => {
  for (const testCommand of ['sh tests/slug.sh', './tests/slug.sh', 'bash -e tests/slug.sh']) {
    const result = await judgeTree(HONEST, { testCommand });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], runner: 'shunit2' });
    expect(
      result.seen.map(({ id, outcome, file }) => [id, outcome, file]).toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual([
      [IDS[0], 'skipped', 'tests/slug.sh'],
      [IDS[1], 'passed', 'tests/slug.sh'],
      [IDS[2], 'passed', 'tests/slug.sh'],
    ]);
    expect(result.collected).toEqual(['tests/slug.sh']);
  }
});

test('the base fails, and the output says why', TIMEOUT, async () => {
  const result = await judgeTree('#!/bin/sh\necho "$1"\n');
  expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
  expect(result.output).toContain('expected:<hello-world> but was:<Hello World>');
});

test.for(
  Object.entries({
    'a kill of the shell around it': '#!/bin/sh\nkill -9 $PPID\n',
    'names and a count of its own': "#!/bin/sh\nprintf 'test_odd\\ntestSkipped\\n\\nRan 3 tests.\\n\\nOK\\n' >&2\n",
    'the same and an end': "#!/bin/sh\nprintf 'test_odd\\ntestSkipped\\n\\nRan 3 tests.\\n\\nOK\\n' >&2\nkill -9 -1\n",
  }),
)('%s does not pass', TIMEOUT, async ([, slug]) => {
  for (const expectedTests of [IDS.slice(1), null]) {
    const result = await judgeTree(slug, { expectedTests });
    expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
  }
});

test('exit 0 from a test, and a file that cannot be read', TIMEOUT, async () => {
  const left = await judgeTree(
    HONEST,
    {},
    { 'tests/slug.sh': 'testA() { exit 0; }\ntestB() { false; }\n. ./lib/shunit2\n' },
  );
  expect(left, left.output).toMatchObject({
    verdict: 'fail',
    seen: [{ id: 'tests/slug.sh::testA', outcome: 'failed' }],
  });
  const broken = await judgeTree(
    HONEST,
    {},
    { 'tests/slug.sh': '. ./not-written-yet\ntestA() { :; }\n. ./lib/shunit2\n' },
  );
  expect(broken, broken.output).toMatchObject({
    verdict: 'fail',
    faults: [{ code: 'tests_failed' }],
    seen: [{ id: 'tests/slug.sh', outcome: 'error', file: 'tests/slug.sh' }],
  });
});

test('single tests run alone', TIMEOUT, async () => {
  const result = await judgeTree(HONEST, { only: ['tests/slug.sh::test_odd'] });
  expect(result, result.output).toMatchObject({ verdict: 'pass', seen: [{ id: 'tests/slug.sh::test_odd' }] });
  expect(result.output).not.toContain('testWords');
});

test('shunit2 may be named by a variable', TIMEOUT, async () => {
  const script = TESTS['tests/slug.sh'].replace('. ./lib/shunit2', 'TH_SHUNIT=./lib/shunit2\n. "${TH_SHUNIT}"');
  const result = await judgeTree(HONEST, {}, { 'tests/slug.sh': script });
  expect(result.seen.map(({ id }) => id).sort()).toEqual(IDS);
});

test('tests of other names count where the script lists them', TIMEOUT, async () => {
  const script = 'odd_words() { assertEquals a a; }\ntestB() { false; }\nset -- "--" \'odd_words\'\n. ./lib/shunit2\n';
  const result = await judgeTree(HONEST, {}, { 'tests/slug.sh': script });
  expect(result, result.output).toMatchObject({
    verdict: 'pass',
    seen: [{ id: 'tests/slug.sh::odd_words', outcome: 'passed' }],
  });
});
