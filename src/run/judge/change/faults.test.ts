import { expect, it } from 'vitest';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { changeFaults } from './faults.ts';
import type { ChangeResult } from './judge-change.ts';

const LACKED = ['sum-all of package.json (^1.0.0, now ^2.0.0)'];
const NAMED = `dependency not installed: ${LACKED[0]}`;

const faults = (code: 'demand_changed' | 'tests_newly_failing' | null): string[] =>
  changeFaults(
    {
      deciding: { verdict: 'fail', seen: [] },
      protocolFaults: [],
      faults: code === null ? [] : [{ code, ids: ['a'] }],
      touched: [],
      placeBound: [],
      unstable: false,
    } as unknown as ChangeResult,
    {
      record: { tests: [{ id: 'a', outcome: 'passed', file: null }] } as unknown as BaseRecord,
      acceptExitCode: false,
      restored: [],
      notInstalled: LACKED,
    },
  ).map(({ text }) => text);

it('names a dependency that the change lacks where tests break, before a question, and not where none does', () => {
  expect(faults('demand_changed')).toEqual([NAMED, 'the patch changes what tests demand: 1']);
  expect(faults('tests_newly_failing')).toEqual(['tests newly failing: 1', NAMED]);
  expect(faults(null)).toEqual([]);
});
