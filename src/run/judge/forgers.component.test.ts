import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { PLAYS_ALL } from '../../kernel/some-of.fixture.ts';
import { FORGER_SUITES, type ForgerSuite } from '../selftest/suites.ts';
import { judgeCopies } from './judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';
import { noteWithIsolation } from './results/isolation-note.ts';

const dir = (path: string): string => fileURLToPath(new URL(`../selftest/suites/${path}`, import.meta.url));
const TIMEOUT = 240_000;
/** `./test` plays each forger in one of the two ways, one after the other in turn; `npm run test:all` plays it in both. */
const isPlayed = (at: number, isolation: JudgeRequest['isolation']): boolean =>
  PLAYS_ALL || (at % 2 === 0) === (isolation === 'in_process');

function judgeTree(suite: ForgerSuite, tree: string, isolation: JudgeRequest['isolation']): Promise<JudgeResult> {
  const below = (name: string): string => dir(`${suite.name}/${name}`);
  return judgeCopies(
    { tree: below(tree), base: below('base'), tests: below('tests') },
    { testCommand: suite.command, isolation, expectedTests: suite.expected, timeoutMs: 180_000 },
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
      for (const { name } of suite.outer.filter((_forger, at) => isPlayed(at, isolation))) {
        test(`${isolation}: ${name} does not pass`, { timeout: TIMEOUT }, async ({ expect }) => {
          const result = await judgeTree(suite, `forgers/${name}`, isolation);
          expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
        });
      }
    }

    for (const [at, { name }] of suite.inner.entries()) {
      test(`black_box: ${name} does not pass`, { timeout: TIMEOUT }, async ({ expect }) => {
        const result = await judgeTree(suite, `forgers/${name}`, 'black_box');
        expect(result, result.output).toMatchObject({ verdict: 'fail', passed: false });
      });
      if (!isPlayed(at, 'in_process')) continue;
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
