import { expect, it } from 'vitest';
import { NO_TARGET_FILE, notInspected } from '../../bundle/artifacts.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { interruptedReport } from '../../report/initial.ts';
import type { NoTargetInspection } from '../../schema/no-target.ts';
import type { Report } from '../../schema/report.ts';
import { openBundle } from '../opened.ts';
import { targetFaults } from './targets-check.ts';

const HIDDEN: NoTargetInspection = {
  ...notInspected({ runId: 'run', nonce: 'nonce' }),
  conclusion: 'not reachable',
  targets: [{ path: '/srv/app', given_by: 'settings', shown_at: ['/srv/app'] }],
  searched: [{ what: 'task contract', items: 1, matches: [] }],
  confinement: 'bubblewrap',
  scratch: '/tmp/run',
  shown: [{ source: '/srv', target: '/srv', mode: 'ro' }],
  masked: ['/srv/app'],
  probe: { passed: true, detail: '' },
};

/** The faults of a bundle with these documents. */
function faultsOf(inspection: NoTargetInspection | null, contract: object, report: Partial<Report>) {
  const documents = { [CONTRACT_FILE]: contract, ...(inspection === null ? {} : { [NO_TARGET_FILE]: inspection }) };
  const files = Object.entries(documents).map(([path, value]) => {
    const content = Buffer.from(JSON.stringify(value));
    return [path, { path, content, bytes: content.length, sha256: '', modifiedAt: '' }] as const;
  });
  const born = interruptedReport({
    runId: 'run',
    dir: '/runs/run',
    task: 'task',
    engine: 'fake',
    nonce: 'nonce',
    startedAt: '2026-01-01T00:00:00.000Z',
    ledgerHeadAtStart: '0'.repeat(64),
  });
  const stated = { ...born, failure_reason: null, blockers: [], blocker_codes: [], ...report };
  return targetFaults(stated, openBundle(new Map(files), []));
}

const SAID = { target_conclusion: 'not reachable' } as const;

it('agrees with what was inspected', () => {
  expect(faultsOf(HIDDEN, { instruction: 'mend it' }, SAID)).toEqual([]);
});

it.each<[string, NoTargetInspection | null, object, Partial<Report>, RegExp]>([
  ['another conclusion in the report', HIDDEN, {}, { target_conclusion: 'no targets configured' }, /differs from/],
  ['no inspection', null, {}, SAID, /is missing$/],
  ['a mask that is not there', { ...HIDDEN, masked: [] }, {}, SAID, /against its own findings/],
  ['a probe that failed', { ...HIDDEN, probe: { passed: false, detail: '' } }, {}, SAID, /against its own findings/],
  ['a contract that names the target', HIDDEN, { instruction: 'read /srv/app/x' }, SAID, /names the target \/srv\/app/],
])('finds %s', (_name, inspection, contract, report, fault) => {
  expect(faultsOf(inspection, contract, report)).toEqual([expect.stringMatching(fault)]);
});
