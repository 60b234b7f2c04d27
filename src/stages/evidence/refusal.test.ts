import { expect, it, test } from 'vitest';
import { gatedReport } from '../../evidence/report/render/gated.fixture.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { sha256 } from '../../kernel/digest.ts';
import { stageNumbered } from '../ladder.ts';
import { evidenceRefusal, type StageClaim, type StageRun } from './refusal.ts';

const PLAN = sha256('plan');
const NOW = new Date('2026-11-17T00:00:00.000Z');

function claim(number = 2, more: Partial<StageClaim> = {}): StageClaim {
  const stage = stageNumbered(number);
  if (stage === null) throw new Error('no such stage');
  const { executable, model } = gatedReport();
  return {
    stage,
    subject: {
      engine: 'case',
      executable_sha256: executable?.sha256 ?? null,
      model: `${model?.provider}/${model?.name}`,
    },
    planSha256: PLAN,
    declaredAt: '2026-11-15T20:00:00.000Z',
    usedBefore: new Set(),
    now: NOW,
    ...more,
  };
}

function run(changes: Partial<Report> = {}, more: Partial<StageRun> = {}): StageRun {
  const scope = { mutation: 'copied artificial case only', target_conclusion: 'not reachable' } as const;
  return {
    report: gatedReport({ ...scope, ...changes }),
    contract: {
      declared: { plan_sha256: PLAN, slot: 0 },
      sealed_tests: null,
      expected_tests: ['t'],
      risk_class: 'low',
    },
    verified: { ok: true, detail: 'verified' },
    ...more,
  };
}

/** The same at stage 3, on a repository. */
function onRepository(changes: Partial<Report> = {}, mustFix: string[] = ['t']): StageRun {
  const { contract } = run();
  const judging = { allow_deciding: [], must_fix: mustFix, known_failing: [], accept: 'tests' as const };
  const deciding = { found_by: 'strace', no_vote: [], refused: [], allowed: [] } as const;
  return run(
    {
      stage: 3,
      mutation: 'copied repository only',
      source_admission_status: 'admitted',
      proof: 'fixed',
      deciding: { ...deciding, no_vote: [], refused: [], allowed: [] },
      ...changes,
    },
    { contract: { ...contract, judging } },
  );
}

it('takes a verified, confined, fresh pass of the declared subject', () => {
  expect(evidenceRefusal(run(), claim())).toBeNull();
  expect(evidenceRefusal(onRepository(), claim(3))).toBeNull();
});

const confinement = gatedReport().confinement;
const executable = gatedReport().executable;
const model = gatedReport().model;

const REFUSED: readonly [what: string, run: StageRun, reason: RegExp, claim?: StageClaim][] = [
  [
    'a timeout after a valid patch',
    run({
      status: 'fail',
      backend_completion: 'timed_out',
      failure_reason: 'case lifecycle timeout after valid patch',
    }),
    /^timed out: case lifecycle timeout after valid patch/,
  ],
  ['a pass that the deadline ended', run({ backend_completion: 'timed_out' }), /^timed out/],
  ['a fail', run({ status: 'fail', failure_reason: 'tests failed' }), /^fail: tests failed$/],
  ['a blocked run', run({ status: 'blocked', failure_reason: 'model not admitted' }), /^blocked: model not admitted$/],
  [
    'an unconfined run',
    run({ confinement: confinement === null ? null : { ...confinement, kind: 'none' } }),
    /^unconfined/,
  ],
  [
    'a sandbox that was not probed',
    run({ confinement: confinement === null ? null : { ...confinement, probe_passed: false } }),
    /^unconfined/,
  ],
  ['a run without a sandbox on record', run({ confinement: null }), /^unconfined/],
  [
    'a tampered bundle',
    run({}, { verified: { ok: false, detail: 'report.md: other digest' } }),
    /^tampered.*report\.md/,
  ],
  ['a run before its batch', run({ run_started_at: '2026-11-15T19:59:59.999Z' }), /^stale: it began before/],
  [
    'a run of long ago',
    run(),
    /^stale: it is older than 90 days$/,
    claim(2, { now: new Date('2027-11-17T00:00:00.000Z') }),
  ],
  ['a recorded model', run({ markers: ['backend/model-replayed.txt'] }), /^replayed: its model/],
  [
    'a run that was counted before',
    run(),
    /^replayed: an earlier decision/,
    claim(2, { usedBefore: new Set([run().report.run_id]) }),
  ],
  [
    'a run of another batch',
    run({}, { contract: { ...run().contract, declared: { plan_sha256: sha256('other'), slot: 0 } } }),
    /^replayed: it was not run for this batch$/,
  ],
  ['a judged commit', run({ judged_commit: 'abc' }), /^no engine made the change$/],
  ['another engine', run({ backend: 'pi' }), /^it is a run of pi$/],
  [
    'another program',
    run({ executable: executable === null ? null : { ...executable, sha256: sha256('x') } }),
    /^another program/,
  ],
  ['another model', run({ model: model === null ? null : { ...model, name: 'other' } }), /^another model/],
  [
    'a model that is not admitted',
    run({ model: model === null ? null : { ...model, admission_status: 'not_admitted' } }),
    /not admitted/,
  ],
  ['another stage', run({ stage: 3 }), /^it ran at stage 3$/],
  ['another scope', run({ mutation: 'copied repository only' }), /^mutation out of scope/],
  ['writes that nothing watched', run({ allowed_writes_passed: null }), /wrote only where it may/],
  ['no targets', run({ target_conclusion: 'no targets configured' }), /^targets: no targets configured$/],
  ['a missing event', run({ required_events_passed: false }), /required event/],
  [
    'a task without expected tests',
    run({}, { contract: { ...run().contract, expected_tests: [] } }),
    /no expected tests/,
  ],
  ['stage 3 without a source', onRepository({ source_admission_status: 'not_admitted' }), /source/, claim(3)],
  ['a repository without named tests', onRepository({}, []), /--must-fix nor --sealed/, claim(3)],
  ['nothing broken, nothing fixed', onRepository({ proof: 'kept' }), /no test shows/, claim(3)],
  [
    'deciding files changed with leave',
    onRepository({ deciding: { found_by: 'strace', no_vote: [], refused: [], allowed: ['conftest.py'] } }),
    /with leave/,
    claim(3),
  ],
  [
    'deciding files found by name',
    onRepository({ deciding: { found_by: 'names', no_vote: [], refused: [], allowed: [] } }),
    /names alone/,
    claim(3),
  ],
  [
    'a high-risk task in one process',
    run(
      { tests: { ...gatedReport().tests, isolation: 'in_process' } },
      { contract: { ...run().contract, risk_class: 'high' } },
    ),
    /black_box/,
  ],
];

test.each(REFUSED)('%s is no evidence', (_what, given, reason, wanted) => {
  expect(evidenceRefusal(given, wanted ?? claim())).toMatch(reason);
});
