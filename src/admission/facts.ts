import type { ExecutableRecord, ModelRecord, SourceRecord } from '../evidence/schema/admission.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';
import type { Admissions } from './records.ts';

/** Nothing but `yes` lets an engine run. */
export type Enabled = 'yes' | 'variable not set' | 'disabled by settings';

/** The program that the caller names. */
export type ExecutableFact =
  | { readonly state: 'not named' }
  | { readonly state: 'unusable'; readonly path: string; readonly why: string }
  | { readonly state: 'present'; readonly path: string; readonly sha256: string; readonly bytes: number };

/** How the model answered when it was asked for a few words. `no_answer`: it could not be reached, or refused. */
export interface ShapeFact {
  readonly kind: 'content' | 'tool_calls' | 'reasoning_only' | 'empty' | 'malformed' | 'no_answer';
  /** Holds neither endpoint nor key. */
  readonly detail: string;
}

/** All that the admission of one engine is decided on. Values of endpoints and keys never come here. */
export interface AdmissionFacts {
  readonly engine: string;
  /** Null: nobody decided what this engine has to show. */
  readonly policy: AdmissionPolicy | null;
  readonly enabled: Enabled;
  readonly stage: {
    readonly named: string | null;
    /** The highest stage earned so far by this engine, executable and model; 0: none. */
    readonly earned: number;
  };
  readonly admissions: Admissions;
  readonly executable: ExecutableFact;
  readonly model: { readonly provider: string | null; readonly name: string | null };
  /** Which of the variables that records name hold anything. */
  readonly variablesSet: ReadonlySet<string>;
  readonly timeLimit: string | null;
  /** Answers of another run stand for the model's: there is nobody to reach. */
  readonly replayed: boolean;
  /** Null: not asked yet. */
  readonly shape: ShapeFact | null;
}

/** 1 to 6; null: none is named, or no such stage. */
export function stageOf({ stage }: Pick<AdmissionFacts, 'stage'>): number | null {
  return stage.named !== null && /^[1-6]$/.test(stage.named) ? Number(stage.named) : null;
}

/** Whole seconds; null: none is given, or it is no time. */
export function timeLimitSeconds({ timeLimit }: Pick<AdmissionFacts, 'timeLimit'>): number | null {
  return timeLimit !== null && /^[1-9]\d{0,5}$/.test(timeLimit) ? Number(timeLimit) : null;
}

/** The record that admits the program which the caller names; null: none does. */
export function admittedExecutable(facts: Pick<AdmissionFacts, Subjects>): ExecutableRecord | null {
  const { executable, engine, admissions } = facts;
  if (executable.state !== 'present') return null;
  for (const { record } of admissions.records)
    if (record.kind === 'executable' && record.engine === engine && record.sha256 === executable.sha256) return record;
  return null;
}

/** The record that admits the model which the caller names; null: none does. */
export function admittedModel(facts: Pick<AdmissionFacts, Subjects>): ModelRecord | null {
  const { model, engine, admissions } = facts;
  for (const { record } of admissions.records)
    if (
      record.kind === 'model' &&
      record.engine === engine &&
      record.provider === model.provider &&
      record.model === model.name
    )
      return record;
  return null;
}

/**
 * The record that admits where the engine's program comes from; null: none does. A program that is admitted itself is answered for
 * only by the source that it was built from, at the commit that is pinned now.
 */
export function admittedSource(facts: Pick<AdmissionFacts, Subjects>): SourceRecord | null {
  const program = admittedExecutable(facts);
  for (const { record } of facts.admissions.records) {
    if (record.kind !== 'source' || record.engine !== facts.engine || record.discovery_only) continue;
    if (program === null || (program.source === record.id && program.source_commit === record.commit)) return record;
  }
  return null;
}

type Subjects = 'engine' | 'admissions' | 'executable' | 'model';
