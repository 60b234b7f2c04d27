import type { StageBatch, StageDecision, StageSubject } from '../../evidence/stage-records/schema.ts';
import { canonicalJson } from '../../kernel/canonical.ts';
import { tallyOf } from '../decide.ts';
import { stageNumbered } from '../ladder.ts';
import type { KeptRecord } from './chain.ts';
import type { SignerCheck } from './signature.ts';

/** A record, and what was found when it was looked at. */
export interface ExaminedRecord extends KeptRecord {
  readonly signature: SignerCheck;
  /** Why the evidence that a decision names no longer holds; null: it does, or the record names none. */
  readonly evidenceFault: string | null;
}

/** Something that was seen in a run and makes earlier evidence worthless: another model or response shape. */
export interface Drift {
  readonly subject: StageSubject;
  readonly at: string;
  readonly what: string;
  readonly runId: string;
}

export interface AppliedStep {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  /** What the subject has afterwards. */
  readonly stage: number;
  readonly by: string;
}

/** One subject as its history tells it. */
export interface SubjectHistory {
  readonly subject: StageSubject;
  /** Granted by decisions that hold; 1 where there is none: the first stage is earned by checks. */
  readonly granted: number;
  readonly steps: readonly AppliedStep[];
  /** Records that do not count, and why. */
  readonly refused: readonly { readonly id: string; readonly why: string }[];
  /** Batches since the subject was last demoted, oldest first. */
  readonly batches: readonly { readonly batch: StageBatch; readonly sha256: string }[];
  /** Runs that decisions have counted. */
  readonly used: ReadonlySet<string>;
}

export const subjectKey = (subject: StageSubject): string => canonicalJson(subject);

export const newSubject = (subject: StageSubject): SubjectHistory => ({
  subject,
  granted: 1,
  steps: [],
  refused: [],
  batches: [],
  used: new Set(),
});

/** Pure: the same records and observations give the same state, whenever and wherever they are read. */
export function replayStages(
  records: readonly ExaminedRecord[],
  drifts: readonly Drift[],
): ReadonlyMap<string, SubjectHistory> {
  const states = new Map<string, SubjectHistory>();
  const update = (subject: StageSubject, change: (state: SubjectHistory) => SubjectHistory): void => {
    const key = subjectKey(subject);
    states.set(key, change(states.get(key) ?? newSubject(subject)));
  };
  const pending = drifts.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const observe = (until: string): void => {
    for (let next = pending[0]; next !== undefined && next.at < until; next = pending[0]) {
      const drift = next;
      pending.shift();
      update(drift.subject, (state) => withDrift(state, drift));
    }
  };
  for (const one of records) {
    observe(one.record.at);
    update(one.record.subject, (state) => withRecord(state, one));
  }
  observe('~');
  return states;
}

function withDrift(state: SubjectHistory, { at, what, runId }: Drift): SubjectHistory {
  const step = { id: runId, at, what, stage: 1, by: 'seatrial' };
  return { ...state, granted: 1, batches: [], steps: [...state.steps, step] };
}

function withRecord(state: SubjectHistory, examined: ExaminedRecord): SubjectHistory {
  const { record, sha256, signature } = examined;
  const refuse = (why: string): SubjectHistory => ({ ...state, refused: [...state.refused, { id: record.id, why }] });
  if (record.kind === 'batch')
    return signature.ok
      ? { ...state, batches: [...state.batches, { batch: record, sha256 }] }
      : refuse(signature.fault);
  switch (record.action) {
    // Whoever takes something back needs no authority for it.
    case 'demote':
      return {
        ...state,
        granted: Math.min(state.granted, record.stage),
        batches: [],
        steps: [...state.steps, stepOf(record, signature.ok ? signature.signer : 'seatrial')],
      };
    case 'promote': {
      if (!signature.ok) return refuse(signature.fault);
      if (record.stage !== state.granted + 1)
        return refuse(`it grants stage ${record.stage} to an engine at stage ${state.granted}`);
      if (examined.evidenceFault !== null) return refuse(examined.evidenceFault);
      const short = shortOf(record);
      if (short !== null) return refuse(short);
      const runs = record.evidence.flatMap((one) => one.runs.map(({ run_id: id }) => id));
      const twice = runs.find((id, index) => state.used.has(id) || runs.indexOf(id) !== index);
      if (twice !== undefined) return refuse(`it counts ${twice}, which was counted before`);
      return {
        ...state,
        granted: record.stage,
        used: new Set([...state.used, ...runs]),
        steps: [...state.steps, stepOf(record, signature.signer)],
      };
    }
    default:
      return record.action satisfies never;
  }
}

/** Why the evidence that a decision names would not do, whoever signed it. */
function shortOf({ stage, evidence }: StageDecision): string | null {
  const minimum = stageNumbered(stage)?.minimum ?? null;
  const tally = tallyOf(evidence.flatMap(({ runs }) => runs));
  const enough = minimum !== null && tally.passed + tally.failed >= minimum.runs && tally.bound >= minimum.bound;
  return enough ? null : `the runs that it names are not enough for stage ${stage}`;
}

function stepOf({ id, at, action, stage, cause }: StageDecision, by: string): AppliedStep {
  return {
    id,
    at,
    what: cause ?? (action === 'promote' ? `stage ${stage} granted` : `back to stage ${stage}`),
    stage,
    by,
  };
}
