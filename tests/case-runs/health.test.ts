/** @module-tag long */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CasePlace, PROGRAM } from '../support/case-place.ts';

interface Answer {
  readonly ok: boolean;
  readonly checks: readonly { name: string; ok: boolean; detail: string; run: string }[];
}

let place: CasePlace;
beforeAll(async () => {
  place = await CasePlace.open('commits, then the verifier hangs', 'none earned');
});
afterAll(() => place.leave());

const answer = (stdout: string): Answer => JSON.parse(stdout);

test('stage 2 waits for stage 1, which health earns on a machine without a model; then the standard loop passes', async () => {
  const early = await place.seatrial(['loop', 'case-qwen', '--json'], { env: place.env() });
  expect(early.code).toBe(2);
  expect(answer(early.stdout).checks.at(-1)).toMatchObject({
    name: 'verdict',
    ok: false,
    detail: 'stage not earned: 1',
  });

  const health = await place.seatrial(['health', '--json'], { env: { CTO_HARNESS_CASE_BIN: PROGRAM } });
  const { ok, checks } = answer(health.stdout);
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect({ ok, code: health.code }).toEqual({ ok: true, code: 0 });
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'provider_timeout_fail_closed',
      'model_provider_gate_blocks',
      'local_provider_delayed_content_allows_case',
      'qwen_local_openai_compat_allows_case',
      'stage2_pass',
      'timeout_after_valid_patch_fails',
      'tests silenced',
    ]),
  );

  const loop = await place.seatrial(['loop', 'case-qwen', '--json'], { env: place.env() });
  expect({ code: loop.code, answer: answer(loop.stdout) }).toMatchObject({ code: 0, answer: { ok: true } });
  expect(answer(loop.stdout).checks.map((check) => check.name)).toEqual([
    'enabled',
    'stage',
    'mutation',
    'confined',
    'source',
    'executable',
    'model',
    'credentials',
    'endpoint',
    'response shape',
    'test command',
    'isolation',
    'probe',
    'clean tree',
    'no target',
    'verdict',
  ]);
}, 400_000);

test.each([
  [['check'], /missing required argument/],
  [['check', 'nothing'], /unknown suite "nothing"; the suites are case-provider-adapter, case-stage2/],
  [['check', 'case-stage2', '--bin', '/nonexistent'], /there is no program \/nonexistent/],
  [['check', 'case-stage2', '--only', 'no such check'], /no row name contains "no such check"/],
  [['loop', 'nothing'], /unknown loop "nothing"; the loops are case-qwen/],
])('seatrial %j is wrong usage', async (args, message) => {
  const { code, stderr, stdout } = await place.seatrial(args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});
