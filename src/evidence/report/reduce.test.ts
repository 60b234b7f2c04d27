import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { EventLog } from '../log/events.ts';
import { reason } from '../reasons/catalogue.ts';
import type { RunEvent } from '../schema/events.ts';
import type { Report } from '../schema/report.ts';
import { interruptedReport } from './initial.ts';
import { reduceReport } from './reduce.ts';

let dir = '';
let events: readonly RunEvent[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'reduce-'));
  events = wholeRun();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const BORN = interruptedReport({
  runId: 'run',
  dir: '/runs/run',
  task: 'task',
  engine: 'case',
  nonce: 'n',
  startedAt: '2026-01-01T00:00:00.000Z',
  ledgerHeadAtStart: sha256(''),
});
const CONTRACT = {
  mutation: 'copied repository only',
  test_command: 'npm test',
  expected_tests: ['a'],
  isolation: 'in_process',
  judging: {},
} as const;
const MODEL = { provider: 'p', name: 'm', runtime_provider: 'openai', admission_status: 'admitted' } as const;
const CONFINEMENT = {
  kind: 'bubblewrap',
  network: 'none',
  probe_passed: true,
  limits: {},
  not_enforced: [],
  read_only: [],
} as const;

const reduced = (some: readonly RunEvent[]): Report =>
  reduceReport({ born: BORN, events: some, contract: CONTRACT, notExamined: 'cut off' });

/** One event of every kind that the report is made of. */
function wholeRun(): readonly RunEvent[] {
  const log = new EventLog(join(dir, 'events'), { clock: systemClock, startedMono: systemClock.mono() });
  const add: typeof log.append = (type, source, data) => log.append(type, source, data);
  const program = { path: '/bin/ca', sha256: sha256('ca'), source_commit: null, admission_status: 'admitted' } as const;
  const confinement = { ...CONFINEMENT, limits: {}, not_enforced: [], read_only: [] };
  add('run.started', 'harness', { run_id: 'run', nonce: 'n', engine: 'case', started_at: BORN.run_started_at });
  add('candidate.described', 'harness', {
    stage: 2,
    source_admission_status: 'admitted',
    executable: program,
    model: MODEL,
  });
  add('sandbox.described', 'harness', { workspace_root: '/w', confinement });
  add('sandbox.described', 'harness', { workspace_root: '/w', confinement: { ...confinement, network: 'gateway' } });
  add('base.recorded', 'harness', { sha256: sha256('b'), cached: true, tests: 1, failing: 1, found_by: 'strace' });
  add('protected_roots.checked', 'harness', { passed: true });
  add('backend.started', 'harness', { argv: ['ca'] });
  for (const name of ['m-1', 'm-2', 'm-1'])
    add('model.request', 'harness', { provider: 'p', model: 'm', http_status: 200, answered_by: name });
  add('backend.exited', 'harness', { exit_code: 0, completion: 'exited' });
  add('usage.counted', 'harness', { requests: 3, input_tokens: 10, output_tokens: 20, cost_usd: null });
  add('marker.written', 'harness', { path: 'backend/x.txt' });
  add('git.diff.checked', 'harness', {
    changed_files: ['a.js'],
    disallowed_writes: [],
    ignored_files: [],
    patch_sha256: sha256('patch'),
    patch_bytes: 5,
    faults: [],
  });
  add('review.completed', 'harness', { verdict: 'accepted', by: 'reviewer', comment: '' });
  add('approval.granted', 'harness', { id: 'approval-1', action: 'deliver', by: 'policy', how: 'file' });
  add('change.judged', 'harness', {
    proof: 'fixed',
    fixed: ['a'],
    flaky: [],
    no_vote: [],
    refused: [],
    allowed: [],
    deciding: { found_by: 'strace', no_vote: [], refused: [], allowed: [] },
  });
  add('verification.completed', 'harness', {
    command: 'npm test',
    passed: true,
    exit_code: 0,
    isolation: 'checked',
    tests: [{ id: 'a', outcome: 'passed' }],
    faults: [],
    duration_ms: 7,
    note: 'a note',
    toolchain: [{ name: 'node', path: '/bin/node', version: '22', sha256: sha256('node') }],
  });
  add('run.completed', 'harness', { status: 'pass', failure_reason: null, missing_events: [] });
  log.close();
  return log.events;
}

test('the report says what the events say', () => {
  expect(reduced(events)).toMatchObject({
    status: 'pass',
    blockers: [],
    blocker_codes: [],
    stage: 2,
    source_admission_status: 'admitted',
    executable: { path: '/bin/ca' },
    model: { ...MODEL, observed: ['m-1', 'm-2'] },
    usage: { requests: 3, input_tokens: 10, output_tokens: 20 },
    confinement: { network: 'gateway' },
    writable_roots: { runtime_workspace_root: '/w', run_artifact_dir: '/runs/run' },
    allowed_writes_passed: true,
    backend_process_started: true,
    backend_completion: 'exited',
    markers: ['backend/x.txt'],
    mutation: CONTRACT.mutation,
    patch: { path: 'patch.diff', sha256: sha256('patch'), bytes: 5 },
    review: { verdict: 'accepted' },
    approvals: [{ id: 'approval-1', decision: 'granted', at: expect.any(String) }],
    proof: 'fixed',
    base_record: { cached: true },
    tests: { passed: true, expected: ['a'], duration_ms: 7, note: 'a note', isolation: 'checked' },
    toolchain: [{ name: 'node' }],
    required_events_passed: true,
    freshness: { chain_head: events.at(-1)?.hash },
  });
});

test('a run that is cut off anywhere before its end is blocked, and keeps what it had found', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: events.length - 1 }), (length) => {
      const cut = reduced(events.slice(0, length));
      expect([cut.status, cut.proof, cut.blocker_codes]).toEqual(['blocked', null, ['run_interrupted']]);
      expect(cut.stage).toBe(length > 1 ? 2 : null);
    }),
  );
});

test('one reason is enough to take the pass and the proof away', () => {
  const { code, text, status } = reason('tests_failed');
  const last = events.at(-1);
  const raised: RunEvent[] =
    last === undefined
      ? []
      : [{ ...last, type: 'blocker.raised', data: { step: 'judge', code, reason: text, kind: status } }];
  expect(reduced([...events.slice(0, -1), ...raised, ...events.slice(-1)])).toMatchObject({
    status: 'fail',
    failure_reason: text,
    blocker_codes: [code],
    proof: null,
  });
});

test('an engine that could not be started was not started', () => {
  const at = events.findIndex(({ type }) => type === 'backend.exited');
  const exited = events[at];
  expect(reduced(events.slice(0, at)).backend_process_started).toBe(true);
  const not: RunEvent[] =
    exited === undefined
      ? []
      : [{ ...exited, type: 'backend.exited', data: { exit_code: null, completion: 'not_started' } }];
  expect(reduced([...events.slice(0, at), ...not])).toMatchObject({
    backend_process_started: false,
    backend_completion: 'not_started',
  });
});
