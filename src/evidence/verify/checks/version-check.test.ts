import { expect, test } from 'vitest';
import { sampleReport } from '../../report/render/sample-report.fixture.ts';
import type { Report } from '../../schema/report.ts';
import { versionFaults } from './version-check.ts';

const REPOSITORY = Buffer.from(JSON.stringify({ judging: { allow_deciding: [] } }));
const PROVEN = {
  schema_version: 2,
  status: 'pass',
  blockers: [],
  blocker_codes: [],
  frozen_tree: { examined: 'complete', detail: null },
  proof: 'kept',
  fixed: [],
  base_record: { sha256: '0'.repeat(64), cached: false },
  deciding: { found_by: 'strace', no_vote: [], refused: [], allowed: [] },
} satisfies Partial<Report>;

function without(...names: readonly string[]): Report {
  const report = sampleReport(PROVEN);
  return Object.fromEntries(Object.entries(report).filter(([name]) => !names.includes(name))) as Report;
}

test('a report of version 2 says all that its version promises', () => {
  expect(versionFaults(sampleReport(PROVEN), REPOSITORY)).toEqual([]);
  for (const name of ['frozen_tree', 'blocker_codes', 'proof', 'fixed', 'base_record', 'deciding'])
    expect(versionFaults(without(name), REPOSITORY), name).toEqual([`a report of version 2 without ${name}`]);
});

test('a task directory has no base to be compared with, and version 1 may leave out everything that came later', () => {
  const later = ['proof', 'fixed', 'base_record', 'deciding'];
  expect(versionFaults(without(...later), Buffer.from('{}'))).toEqual([]);
  const old = { ...without('frozen_tree', 'blocker_codes', ...later), schema_version: 1 } as const;
  expect(versionFaults(old, REPOSITORY)).toEqual([]);
});
