import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CountedRun, StageRecord, StageSubject } from '../../evidence/stage-records/schema.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { type KeptRecord, orderRecords } from './chain.ts';
import { type Drift, type ExaminedRecord, replayStages, subjectKey } from './replay.ts';

const CASE: StageSubject = { engine: 'case', executable_sha256: sha256('ca'), model: 'qwen-local/qwen' };
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 17, 0, minute)).toISOString();
const SIGNED = { ok: true, signer: 'me' } as const;

let count = 0;
const passes = (n: number): CountedRun[] =>
  Array.from({ length: n }, () => ({
    run_id: `run-${(count += 1)}`,
    report_sha256: ZERO_DIGEST,
    outcome: 'pass',
    why: null,
  }));

function decision(stage: number, minute: number, more: Partial<ExaminedRecord> = {}, runs = passes(8)): ExaminedRecord {
  const action = 'promote' as const;
  const record: StageRecord = {
    schema_version: 1,
    kind: 'decision',
    id: `d${minute}`,
    at: at(minute),
    previous: ZERO_DIGEST,
    signers_sha256: ZERO_DIGEST,
    subject: CASE,
    action,
    stage,
    cause: null,
    evidence: [{ batch: 'b', batch_sha256: ZERO_DIGEST, plan_sha256: ZERO_DIGEST, runs }],
    tally: null,
    absent: [],
  };
  return {
    file: `d${minute}.json`,
    sha256: sha256(`d${minute}`),
    record,
    signature: SIGNED,
    evidenceFault: null,
    ...more,
  };
}

function demotion(stage: number, minute: number): ExaminedRecord {
  const { record, ...rest } = decision(stage, minute);
  if (record.kind !== 'decision') throw new Error('no decision');
  return {
    ...rest,
    record: { ...record, action: 'demote', cause: 'noise', evidence: [] },
    signature: { ok: false, fault: 'it is not signed' },
  };
}

const state = (records: readonly ExaminedRecord[], drifts: readonly Drift[] = []) =>
  replayStages(records, drifts).get(subjectKey(CASE));

it('grants one stage after another', () => {
  expect(state([decision(2, 1), decision(3, 2), decision(4, 3)])?.granted).toBe(4);
  expect(state([decision(3, 1)])).toMatchObject({ granted: 1, refused: [{ id: 'd1' }] });
});

it('a promotion counts only with a signature, with evidence that holds and that is enough', () => {
  const refused = (one: ExaminedRecord): unknown => state([one])?.granted;
  expect(refused(decision(2, 1, { signature: { ok: false, fault: 'its key is not in allowed_signers' } }))).toBe(1);
  expect(refused(decision(2, 1, { evidenceFault: 'its evidence x is gone' }))).toBe(1);
  expect(refused(decision(2, 1, {}, []))).toBe(1);
  expect(refused(decision(2, 1, {}, passes(4)))).toBe(1);
  const [again = { run_id: '', report_sha256: '', outcome: 'pass', why: null } as const] = passes(1);
  expect(
    refused(
      decision(
        2,
        1,
        {},
        Array.from({ length: 5 }, () => again),
      ),
    ),
  ).toBe(1);
});

it('evidence of one stage is none for the next', () => {
  const runs = passes(5);
  expect(state([decision(2, 1, {}, runs), decision(3, 2, {}, runs)])?.granted).toBe(2);
});

it('taking back needs no signature, giving again does', () => {
  expect(state([decision(2, 1), decision(3, 2), demotion(1, 3)])?.granted).toBe(1);
  expect(state([decision(2, 1), demotion(4, 2)])?.granted).toBe(2);
  expect(state([decision(2, 1), demotion(1, 2), decision(2, 3)])?.granted).toBe(2);
});

it('one observed drift demotes the subject, and no other', () => {
  const drift = { subject: CASE, at: at(5), what: 'another model answered', runId: 'r' };
  expect(state([decision(2, 1), decision(3, 2)], [drift])?.granted).toBe(1);
  expect(state([decision(2, 1), decision(3, 2)], [{ ...drift, subject: { ...CASE, model: 'x/y' } }])?.granted).toBe(3);
  expect(state([decision(2, 1), decision(2, 7)], [drift])?.granted).toBe(2);
});

it('the same records give the same state, in whatever order they are read', () => {
  const records: KeptRecord[] = [];
  let previous = ZERO_DIGEST;
  for (const one of [decision(2, 1), decision(3, 2), demotion(1, 3), decision(2, 4)]) {
    const digest = sha256(`${previous}${one.file}`);
    records.push({ ...one, sha256: digest, record: { ...one.record, previous } });
    previous = digest;
  }
  const replay = (kept: readonly KeptRecord[]): number | undefined => {
    const ordered = orderRecords(kept);
    if (!ordered.ok) return undefined;
    return state(ordered.records.map((one) => ({ ...one, signature: SIGNED, evidenceFault: null })))?.granted;
  };
  fc.assert(
    fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (some) => {
      expect(replay(some)).toBe(2);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: records.length - 2 }), (gone) => {
      expect(replay(records.filter((_one, index) => index !== gone))).toBeUndefined();
    }),
  );
  const copies = records.slice(0, 1).map((one) => ({ ...one, file: 'copy.json' }));
  expect(replay([...records, ...copies])).toBeUndefined();
});
