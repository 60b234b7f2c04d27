import { reason } from '../../../../evidence/reasons/catalogue.ts';
import { describe, expect, test, type TestContext } from 'vitest';
import { findProgram } from '../../../../confine/tools/find-program.ts';
import { type Content, judgeCopies } from '../../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../../types.ts';

const TIMEOUT = { timeout: 60_000 };
const bats = findProgram('bats', process.env['PATH'] ?? '');

const HONEST = '#!/bin/sh\nprintf "%s\\n" "$1" | tr "A-Z" "a-z" | tr -cs "a-z0-9\\n" "-"\n';
const BASE = '#!/bin/sh\nprintf "%s\\n" "$1"\n';
const TESTS = {
  'test/slug.bats': `setup() { cd "$BATS_TEST_DIRNAME/.."; }
@test "words" { run ./slug "Hello World"; echo "got $output"; [ "$output" = "hello-world" ]; }
@test "odd: a, b" { [ "$(./slug "a, b")" = "a-b" ]; }
`,
};
const IDS = ['test/slug.bats::odd: a, b', 'test/slug.bats::words'];

function judgeTree(
  context: TestContext,
  tree: Readonly<Record<string, string>>,
  terms: Partial<JudgeRequest> = {},
  tests: Content | null = null,
): Promise<JudgeResult> {
  if (bats === null) context.skip('there is no bats on this machine');
  return judgeCopies({ tree, tests }, { testCommand: 'bats test', isolation: 'in_process', ...terms });
}
const outcomes = ({ seen }: JudgeResult): Record<string, string> =>
  Object.fromEntries(seen.map(({ id, outcome }) => [id, outcome]));

describe('bats', () => {
  test('a correct patch passes, every test by its name and file', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { ...TESTS, slug: HONEST }, { expectedTests: IDS });
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [], exitCode: 0, runner: 'bats' });
    expect(result.seen.map(({ id, file }) => [id, file]).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      IDS.map((id) => [id, 'test/slug.bats']),
    );
    expect(result.collected).toEqual(['test/slug.bats']);
    expect(result.toolchain.map(({ name }) => name)).toContain('bats');
  });

  test('the base fails, and the output says why', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { ...TESTS, slug: BASE }, { expectedTests: IDS });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 1 });
    expect(result.output).toContain('got Hello World');
  });

  test.for(
    Object.entries({
      'a kill of the shell around it': '#!/bin/sh\nkill -9 $PPID\n',
      'a kill of everything': '#!/bin/sh\nkill -9 -1\n',
      'results on the descriptor that bats leaves open': `#!/bin/sh\nprintf 'ok 1 words\\nbegin 2 odd: a, b\\nok 2 odd: a, b\\n' >&3\n`,
      'results and an end': `#!/bin/sh\nprintf 'ok 1 words\\nbegin 2 odd: a, b\\nok 2 odd: a, b\\n' >&3\nkill -9 -1\n`,
    }),
  )('%s does not pass', TIMEOUT, async ([, slug], context) => {
    for (const expectedTests of [IDS, null]) {
      const result = await judgeTree(context, { ...TESTS, slug }, { expectedTests });
      expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
    }
  });

  test('skipped ones and files that cannot be read are told apart, and the others run', TIMEOUT, async (context) => {
    const tree = {
      ...TESTS,
      slug: HONEST,
      'test/skip.bats': '@test "later" { skip "not yet"; }\n',
      'test/first.bats': 'load ../not-written-yet\n@test "a" { true; }\n@test "b" { true; }\n',
      'test/syntax.bats': '@test "x" { if ; }\n',
      'test/deep/none.bats': 'X=1\n',
    };
    const result = await judgeTree(context, tree, { testCommand: 'bats -r -j 2 --timing test' });
    expect(outcomes(result), result.output).toEqual({
      'test/slug.bats::words': 'passed',
      'test/slug.bats::odd: a, b': 'passed',
      'test/skip.bats::later': 'skipped',
      'test/first.bats': 'error',
      'test/syntax.bats': 'error',
    });
    expect(result.seen).toContainEqual({ id: 'test/first.bats', outcome: 'error', file: 'test/first.bats' });
    expect(result.collected).toEqual([
      'test/deep/none.bats',
      'test/first.bats',
      'test/skip.bats',
      'test/slug.bats',
      'test/syntax.bats',
    ]);
  });

  test('nothing that matches does not pass', TIMEOUT, async (context) => {
    const result = await judgeTree(context, { ...TESTS, slug: HONEST }, { testCommand: 'bats -f nothing test' });
    expect(result, result.output).toMatchObject({ verdict: 'fail' });
    expect(result.faults[0]).toMatchObject({ code: 'no_tests_ran' });
    expect(await judgeTree(context, { slug: HONEST }, { testCommand: 'bats none' })).toMatchObject({ passed: false });
  });

  test('single tests run alone', TIMEOUT, async (context) => {
    const only = ['test/slug.bats::odd: a, b'];
    const result = await judgeTree(context, { ...TESTS, slug: HONEST }, { only });
    expect(result, result.output).toMatchObject({ verdict: 'pass', seen: [{ id: only[0], outcome: 'passed' }] });
    expect(result.output).not.toContain('words');
  });

  test('sealed tests, and those of another directory', TIMEOUT, async (context) => {
    const sealed = { 'slug.bats': '@test "words" { [ "$(./slug A)" = "a" ]; }\n' };
    const terms = { testCommand: 'bats tests test' };
    const result = await judgeTree(context, { ...TESTS, slug: HONEST }, terms, sealed);
    expect(result, result.output).toMatchObject({
      verdict: 'pass',
      seen: [{ id: 'slug.bats::words', outcome: 'passed', file: 'tests/slug.bats' }],
    });
    const moved = { 'sub/slug': HONEST, 'sub/test/slug.bats': TESTS['test/slug.bats'] };
    const there = await judgeTree(context, moved, { testCommand: 'cd sub && bats test/*.bats', expectedTests: IDS });
    expect(there, there.output).toMatchObject({ verdict: 'pass', collected: ['sub/test/slug.bats'] });
  });
});

test('a tree that names a bats of its own, and has none', async () => {
  const terms = { testCommand: 'test/bats/bin/bats test', isolation: 'in_process' } as const;
  const result = await judgeCopies({ tree: TESTS, tests: null }, terms);
  expect(result).toMatchObject({
    verdict: 'blocked',
    faults: [reason('not_installed', { program: 'test/bats/bin/bats' })],
  });
});
