import { expect, test } from 'vitest';
import { parseTests } from '../parse-tests.ts';
import type { MustFailRequest, Outcomes } from '../request.ts';
import type { SampledSite } from '../sites.ts';
import { repeatJavaScript } from './javascript.ts';
import { findTestsThatStopPassing } from './repeat-tests.ts';
import { applyEdits } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';

/** A test whose body calls `given`, as the repeated copy of it would run. */
async function repeated(later: boolean): Promise<(given: () => void) => void> {
  const text = 'test("a", () => { given(); });';
  const tree = await parseTests('javascript', text);
  const callback = [...(tree?.root.walk() ?? [])].find(({ type }) => type === 'arrow_function');
  if (callback === undefined) throw new Error('not found');
  const made = repeatJavaScript(callback, { name: 'again1', calls: 500, milliseconds: 5000, later }, 'vitest');
  const copy = applyEdits(text, made?.edits ?? []);
  return (given) => {
    // oxlint-disable-next-line no-implied-eval -- the copy is what a runner would load
    new Function('test', 'given', copy)((_name: string, run: () => void) => run(), given);
  };
}

test('code that answers for its first calls alone is found out', async () => {
  const run = await repeated(false);
  let calls = 0;
  const wearingOut = (): void => {
    calls += 1;
    if (calls > 60) throw new Error('no more');
  };
  expect(() => run(wearingOut)).toThrow('no more');
  expect(() => run(() => {})).not.toThrow();
});

test('code that answers until some time has passed is found out, and the clocks go right again', async () => {
  const run = await repeated(true);
  const begun = performance.now();
  const aging = (): void => {
    if (performance.now() - begun > 30_000) throw new Error('too late');
  };
  expect(() => run(aging)).toThrow('too late');
  expect(performance.now() - begun).toBeLessThan(30_000);
});

test('a test that keeps something from its first call is left alone', async () => {
  const run = await repeated(true);
  const names = new Set<string>();
  const registering = (): void => {
    if (names.has('a')) throw new Error('registered twice');
    names.add('a');
  };
  expect(() => run(registering)).not.toThrow();
});

const SOURCES: readonly (readonly [Language, string, string, string])[] = [
  [
    'python',
    'tests/test_a.py',
    'function_definition',
    'class T:\n    @mark\n    def test_a(self):\n        assert a() == 1\n',
  ],
  ['typescript', 'a.test.ts', 'arrow_function', "test('a', async () => { expect(await a()).toBe(1); });\n"],
  [
    'go',
    'a/a_test.go',
    'function_declaration',
    'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif A() != 1 {\n\t\tt.Fatal()\n\t}\n}\n',
  ],
  ['rust', 'tests/a.rs', 'function_item', '#[test]\nfn adds() {\n    assert_eq!(a(), 1)\n}\n'],
];

async function requestFor(
  [language, path, type, text]: (typeof SOURCES)[number],
  run: MustFailRequest['run'],
): Promise<readonly [MustFailRequest, SampledSite]> {
  const tree = await parseTests(language, text);
  const node = [...(tree?.root.walk() ?? [])].find((one) => one.type === type);
  if (node === undefined) throw new Error('not found');
  const { start, end } = node;
  const site = { path, language, type, start, end, certain: true, key: path, tests: ['a'], fixed: true };
  const files = { paths: [path], read: (one: string) => (one === path ? text : null) };
  const runner = { python: 'pytest', typescript: 'vitest', go: 'go', rust: 'cargo' }[language as 'go'];
  return [
    { seed: 'c0ffee', runner, fixed: ['a'], kept: [], files, firstRunMs: 1, run, base: null } satisfies MustFailRequest,
    site,
  ];
}

test.each(SOURCES)('a test in %s that fails only when it is repeated is named', async (...source) => {
  const texts: string[] = [];
  const [request, site] = await requestFor(source, ({ files }): Promise<Outcomes> => {
    const text = [...files.values()].join('\n');
    texts.push(text);
    return Promise.resolve(new Map([['a', text.includes('5000') ? 'failed' : 'passed']]));
  });
  expect(await findTestsThatStopPassing(request, [site], 1000)).toEqual(['a']);
  expect(texts).toHaveLength(3);
});

test('a copy that fails without being repeated says nothing', async () => {
  const [source] = SOURCES;
  if (source === undefined) throw new Error('none');
  const [request, site] = await requestFor(source, () => Promise.resolve(new Map([['a', 'failed']])));
  expect(await findTestsThatStopPassing(request, [site], 1000)).toEqual([]);
});

test('a test that fails because another one was repeated is left alone', async () => {
  const text = 'def test_a():\n    assert a() == 1\n\n\ndef test_b():\n    assert b() == 1\n';
  const ranIds: (readonly string[])[] = [];
  const [request] = await requestFor(['python', 'tests/test_a.py', 'function_definition', text], ({ ids }) => {
    ranIds.push(ids);
    return Promise.resolve(new Map(ids.map((id) => [id, id === 'b' && ids.includes('a') ? 'failed' : 'passed'])));
  });
  const tree = await parseTests('python', text);
  const sites = [...(tree?.root.walk() ?? [])]
    .filter(({ type }) => type === 'function_definition')
    .map(({ type, start, end }, index): SampledSite => {
      const id = ['a', 'b'][index] ?? '';
      const path = 'tests/test_a.py';
      return { path, language: 'python', type, start, end, certain: true, key: id, tests: [id], fixed: true };
    });
  expect(await findTestsThatStopPassing(request, sites, 1000)).toEqual([]);
  expect(ranIds).toEqual([['a', 'b'], ['b'], ['b']]);
});
