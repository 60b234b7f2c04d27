import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { FORGER_SUITES, type ForgerSuite } from '../selftest/suites.ts';
import { judgeCopies } from './judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';
import { noteWithIsolation } from './results/isolation-note.ts';

const dir = (path: string): string => fileURLToPath(new URL(`../selftest/suites/${path}`, import.meta.url));
const TIMEOUT = 60_000;

function judgeTree(suite: ForgerSuite, tree: string, isolation: JudgeRequest['isolation']): Promise<JudgeResult> {
  const below = (name: string): string => dir(`${suite.name}/${name}`);
  return judgeCopies(
    { tree: below(tree), base: below('base'), tests: below('tests') },
    { testCommand: suite.command, isolation, expectedTests: suite.expected },
  );
}

for (const suite of FORGER_SUITES) {
  describe.concurrent(suite.name, () => {
    for (const isolation of ['black_box', 'in_process'] as const) {
      test(`${isolation}: a correct patch passes, every test by its name`, { timeout: TIMEOUT }, async ({ expect }) => {
        const result = await judgeTree(suite, 'honest', isolation);
        expect(result, result.output).toMatchObject({
          verdict: 'pass',
          passed: true,
          faults: [],
          exitCode: 0,
          isolation,
        });
        expect(result.seen.map(({ id }) => id).sort()).toEqual([...suite.expected].sort());
      });
      for (const { name } of suite.outer) {
        test(`${isolation}: ${name} does not pass`, { timeout: TIMEOUT }, async ({ expect }) => {
          const result = await judgeTree(suite, `forgers/${name}`, isolation);
          expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
        });
      }
    }

    for (const { name } of suite.inner) {
      test(`black_box: ${name} does not pass`, { timeout: TIMEOUT }, async ({ expect }) => {
        const result = await judgeTree(suite, `forgers/${name}`, 'black_box');
        expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
      });
      test(`in_process: ${name} shows why the note is there`, { timeout: TIMEOUT }, async ({ expect }) => {
        const result = await judgeTree(suite, `forgers/${name}`, 'in_process');
        expect([result.verdict, noteWithIsolation(result)], result.output).toEqual([
          'pass',
          expect.stringContaining('could forge this'),
        ]);
      });
    }
  });
}
