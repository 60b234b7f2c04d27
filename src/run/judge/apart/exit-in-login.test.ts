import { expect, test } from 'vitest';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { BenchResult, BenchRun } from '../base/bench.ts';
import { tryApart } from './try-apart.ts';

/** A bench that answers with exit codes, one after the other, and remembers what it was asked. */
function benchOf(...exitCodes: readonly number[]) {
  const asked: BenchRun[] = [];
  const run = (one: BenchRun): Promise<BenchResult> => {
    asked.push(one);
    // Nothing else of it is looked at.
    return Promise.resolve({ exitCode: exitCodes[asked.length - 1] ?? 0, seen: [] } as unknown as BenchResult);
  };
  return { run, asked };
}

const tree = (dir: string) => ({ dir, paths: [], read: () => null });

function tryCommand(onPatch: readonly number[], onBase: readonly number[], terms = { exit_code: 1, asks: true }) {
  const [bench, baseBench] = [benchOf(...onPatch), benchOf(...onBase)];
  const record = { runner: 'script', tests: [], test_command: 'make test', exit_code: terms.exit_code };
  const request = { record, bench, baseBench, deciding: tree('patched'), base: tree('base') };
  const verdict = tryApart({
    ...request,
    fixed: [],
    kept: [],
    fileOf: () => null,
    asks: terms.asks,
    leavesSomething: false,
    product: [],
    seed: '00',
  });
  return verdict.then(({ faults }) => ({ faults, asked: bench.asked, onBase: baseBench.asked.length }));
}

test('a command that fails when a person starts it does not pass', async () => {
  const { faults, asked } = await tryCommand([2, 2], []);
  expect(faults).toEqual([reason('passes_beside_tests_only', { tests: 'make test' })]);
  expect(asked).toMatchObject([
    { tree: 'patched', plain: true },
    { tree: 'patched', plain: true },
  ]);
  expect(asked[0]?.command).toContain('make test');
});

test('one that succeeds at least once passes', async () => {
  expect((await tryCommand([0], [])).faults).toEqual([]);
  expect((await tryCommand([2, 0], [])).faults).toEqual([]);
});

test('one that fails so on the base too, where it succeeds for the judge, says nothing', async () => {
  expect(await tryCommand([2, 2], [2], { exit_code: 0, asks: true })).toMatchObject({ faults: [], onBase: 1 });
  expect((await tryCommand([2, 2], [0], { exit_code: 0, asks: true })).faults).toHaveLength(1);
});

test('code that asks for nothing is not tried', async () => {
  expect((await tryCommand([2, 2], [], { exit_code: 1, asks: false })).asked).toEqual([]);
});
