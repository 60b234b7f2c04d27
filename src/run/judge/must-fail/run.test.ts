import { reason } from '../../../evidence/reasons/catalogue.ts';
import { expect, test } from 'vitest';
import type { AlteredRun, MustFailRequest, Outcomes } from './request.ts';
import { runMustFail } from './run.ts';

const PATH = 'tests/test_a.py';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const TEXT = NAMES.map((name) => `def test_${name}():\n    assert ${name}() == 2\n`).join('\n\n');
const id = (name: string): string => `${PATH}::test_${name}`;
const IDS = NAMES.map(id);

/** Calculates what an honest runner would see: a copy fails when its comparison says so. */
function honest({ files }: Pick<AlteredRun, 'files'>): Map<string, 'passed' | 'failed'> {
  const text = files.get(PATH) ?? TEXT;
  return new Map(
    text
      .split(/^def test_/m)
      .slice(1)
      .map((source) => [id(source[0] ?? ''), fails(source) ? 'failed' : 'passed']),
  );
}

function fails(source: string): boolean {
  const [, left, plus, sign, right] = /(\d+) \+ (\d+) ([<>]) (\d+)/.exec(source) ?? [];
  const truth =
    sign === '<' ? Number(left) + Number(plus) < Number(right) : Number(left) + Number(plus) > Number(right);
  const [, then, otherwise] = /\((\d+) if .* else (\d+)\)/.exec(source) ?? [];
  return then === undefined ? sign !== undefined && truth : (truth ? then : otherwise) !== '2';
}

const request = (more: Partial<MustFailRequest>): MustFailRequest => ({
  seed: 'c0ffee',
  runner: 'pytest',
  fixed: [],
  kept: IDS,
  files: { paths: [PATH], read: (path) => (path === PATH ? TEXT : null) },
  firstRunMs: 1000,
  run: (run) => Promise.resolve(honest(run)),
  base: null,
  ...more,
});

/** A run as it was asked for, with another outcome for one test where a condition holds. */
const lying =
  (about: string, outcome: 'passed' | 'failed' | null, when: (run: AlteredRun) => boolean) =>
  (run: AlteredRun): Promise<Outcomes> => {
    const outcomes = honest(run);
    if (when(run) && outcome !== null) outcomes.set(id(about), outcome);
    if (when(run) && outcome === null) outcomes.delete(id(about));
    return Promise.resolve(outcomes);
  };

const countAltered = ({ files }: AlteredRun): number => (files.get(PATH) ?? '').split(/\d [<>] \d/).length - 1;

test('honest tests are checked in two runs', async () => {
  const runs: AlteredRun[] = [];
  const run = (asked: AlteredRun): Promise<Outcomes> => {
    runs.push(asked);
    return Promise.resolve(honest(asked));
  };
  const verdict = await runMustFail(request({ run }));
  expect(verdict).toMatchObject({ isolation: 'checked', shown: 6, faults: [] });
  expect(runs.map(({ ids, timeoutMs }) => [ids.length, timeoutMs])).toEqual([
    [6, 13_000],
    [6, 13_000],
  ]);
  // Some must fail and some must pass in each of them.
  for (const one of runs) expect(new Set(honest(one).values())).toEqual(new Set(['failed', 'passed']));
});

test('the seed alone decides what the copies are', async () => {
  const texts = async (seed: string): Promise<readonly (string | undefined)[]> => {
    const seen: (string | undefined)[] = [];
    await runMustFail(request({ seed, run: (run) => (seen.push(run.files.get(PATH)), Promise.resolve(honest(run))) }));
    return seen;
  };
  expect(await texts('aa')).toEqual(await texts('aa'));
  expect(await texts('aa')).not.toEqual(await texts('ab'));
});

test('a wrong answer that does not repeat when that test alone is altered is no alarm', async () => {
  const run = lying('b', 'passed', (asked) => countAltered(asked) > 1);
  expect(await runMustFail(request({ run }))).toMatchObject({ faults: [], isolation: 'checked', shown: 6 });
});

test('one that repeats is an alarm, also about a copy that had to pass', async () => {
  const always = await runMustFail(request({ run: lying('b', 'passed', () => true) }));
  expect(always.mustFail.alarms).toEqual([{ test: id('b'), variant: expect.stringMatching(/throw|literal/) }]);
  const never = await runMustFail(request({ run: lying('b', 'failed', ({ files }) => files.size > 0) }));
  expect(never).toMatchObject({ faults: [reason('tests_cannot_fail', { n: 1 })], isolation: 'in_process' });
  expect(never.mustFail.alarms).toEqual([{ test: id('b'), variant: expect.stringMatching(/neutral|respelled/) }]);
});

test('a test that fails without others before it, altered or not, is no alarm', async () => {
  const kept = [...IDS, 'tests/test_other.py::test_before'];
  const run = lying('b', 'failed', ({ ids }) => ids.length < kept.length);
  const verdict = await runMustFail(request({ kept, run }));
  expect(verdict).toMatchObject({ faults: [], isolation: 'checked', shown: 5 });
});

test('one that fails altered among all of them, and not unaltered, is one', async () => {
  const run = lying('b', 'failed', ({ ids, files }) => ids.length < IDS.length || files.size > 0);
  expect((await runMustFail(request({ run }))).faults).toMatchObject([reason('tests_cannot_fail', { n: 1 })]);
});

test('a copy that is not reported, and a run that was cut short, decide nothing', async () => {
  const missing = await runMustFail(request({ run: lying('b', null, () => true) }));
  expect(missing).toMatchObject({ faults: [], isolation: 'checked', shown: 5 });
  const silent = await runMustFail(request({ run: () => Promise.resolve(new Map()) }));
  expect(silent).toMatchObject({ faults: [], isolation: 'in_process', shown: 0, mustFail: { altered: 6, alarms: [] } });
});

test('what happens on the base too is not the doing of the patch', async () => {
  const run = lying('b', 'passed', () => true);
  const base = { read: (path: string) => (path === PATH ? TEXT : null), run };
  const verdict = await runMustFail(request({ run, base }));
  expect(verdict).toMatchObject({ faults: [], isolation: 'checked', shown: 5 });
  expect(verdict.mustFail.not_altered).toEqual([{ test: id('b'), why: 'its copy answers the same on the base' }]);
  // Said of a fixed test, or of a file that is not the base's, it means nothing.
  expect((await runMustFail(request({ run, base, fixed: [id('b')] }))).faults).toMatchObject([
    reason('tests_cannot_fail', { n: 1 }),
  ]);
  const other = { ...base, read: () => 'another text' };
  expect((await runMustFail(request({ run, base: other }))).faults).toMatchObject([
    reason('tests_cannot_fail', { n: 1 }),
  ]);
});

test('a forger of everything is known after a few runs', async () => {
  let runs = 0;
  const run = (): Promise<Outcomes> => {
    runs += 1;
    return Promise.resolve(new Map(many.map((one) => [one, 'passed' as const])));
  };
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  const text = names.map((name) => `def test_${name}():\n    assert 1 == 1\n`).join('\n');
  const many = names.map(id);
  const verdict = await runMustFail(
    request({ fixed: many, kept: [], run, files: { paths: [PATH], read: () => text } }),
  );
  expect(verdict.faults).toMatchObject([reason('tests_cannot_fail', { n: 5 })]);
  expect(runs).toBe(9);
});

test('tests that cannot be found in a file are counted and named', async () => {
  const kept = [...IDS, `${PATH}::test_gone`, 'README.md::README.md'];
  const { mustFail } = await runMustFail(request({ kept }));
  expect(mustFail).toMatchObject({ sampled: 8, altered: 6 });
  expect(mustFail.not_altered.map(({ test: one }) => one).toSorted()).toEqual([
    'README.md::README.md',
    `${PATH}::test_gone`,
  ]);
});

test('of a test and one within it only one is altered', async () => {
  const text = "import test from 'node:test';\ntest('outer', async (t) => {\n  await t.test('inner', () => {});\n});\n";
  const ids = ['a.test.mjs::outer', 'a.test.mjs::outer > inner'];
  const seen: (readonly string[])[] = [];
  const { mustFail } = await runMustFail(
    request({
      runner: 'node-test',
      kept: ids,
      files: { paths: ['a.test.mjs'], read: () => text },
      run: (asked) => (seen.push(asked.ids), Promise.resolve(new Map())),
    }),
  );
  expect(seen).toEqual([['a.test.mjs::outer > inner'], ['a.test.mjs::outer > inner']]);
  expect(mustFail.not_altered).toEqual([
    { test: 'a.test.mjs::outer', why: 'it shares code with a.test.mjs::outer > inner' },
  ]);
});

test('where a test has no name in the source, one that fails in its place tells that another function was meant', async () => {
  const text = "describe('g', () => {\n  for (const n of names) test(n, () => {});\n});\n";
  const [elsewhere, here] = ['a.test.mjs::g > made elsewhere', 'a.test.mjs::g > made here'];
  const verdictWhere = (failing: string | null): ReturnType<typeof runMustFail> =>
    runMustFail(
      request({
        runner: 'vitest',
        fixed: [elsewhere],
        kept: [here],
        files: { paths: ['a.test.mjs'], read: () => text },
        run: ({ files }) => {
          const outcome = fails(files.get('a.test.mjs') ?? '') ? 'failed' : 'passed';
          return Promise.resolve(new Map([elsewhere, here].map((one) => [one, one === failing ? outcome : 'passed'])));
        },
      }),
    );
  expect(await verdictWhere(here)).toMatchObject({ faults: [], isolation: 'in_process' });
  expect(await verdictWhere(null)).toMatchObject({ faults: [reason('tests_cannot_fail', { n: 2 })] });
});
