import type { Reason } from '../evidence/reasons/reason.ts';
import type { ExecutableRecord, ModelRecord, SourceRecord } from '../evidence/schema/admission.ts';
import type { SignInName } from '../evidence/schema/sign-in.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';
import type { SignInFact } from './login.ts';
import type { Admissions } from './records/read.ts';
import { ARTIFICIAL } from './stage-scopes.ts';

/** Only `yes` lets an engine run. */
export type Enabled = 'yes' | 'variable not set' | 'disabled by settings';

/** The program that the caller's environment names or has. */
export type ExecutableFact =
  | { readonly state: 'not named' }
  | { readonly state: 'unusable'; readonly path: string; readonly why: string }
  /** In a directory that is cleared regularly or world-writable, so its bytes may change at any time. */
  | { readonly state: 'temporary'; readonly path: string; readonly dir: string }
  /** It is there, and no record could admit it. */
  | { readonly state: 'not recorded'; readonly path: string }
  | {
      readonly state: 'present';
      readonly path: string;
      readonly sha256: string;
      readonly bytes: number;
      /** `in place`: it is used where it is installed, with its package. `copy`: its file alone is copied. */
      readonly use: 'in place' | 'copy';
    };

/** The model's response to a short probe. `no_answer`: it could not be reached, or it refused. */
export interface ShapeFact {
  readonly kind: 'content' | 'tool_calls' | 'reasoning_only' | 'empty' | 'malformed' | 'no_answer' | 'other_model';
  /** What `no_answer` was: it decides what to do next. */
  readonly problem?: 'unreachable' | 'unauthorized' | 'http_error' | 'timeout' | 'cut';
  /** The cause that the provider names of itself. */
  readonly named?: Reason<'blocked'>;
  /** The name of the model that answered, where it is another one. */
  readonly answeredBy?: string;
  /** Contains neither endpoint nor key. */
  readonly detail: string;
}

/** The task of a run. */
export interface TaskFact {
  readonly name: string;
  readonly mutation: string;
  /** Digest of its contract. */
  readonly sha256: string;
  /** Its contract is that of a task that ships with Seatrial. */
  readonly builtIn: boolean;
  /** The repository that it is about; null: a task directory. */
  readonly repository: string | null;
}

/** `sandbox`: a throw-away clone that Seatrial made. `owned`: listed by the user as owned and noncritical. */
export type RepositoryStanding = 'sandbox' | 'owned' | 'other';

/** Everything that decides the admission of one engine. Never contains the values of endpoints and keys. */
export interface AdmissionFacts {
  readonly engine: string;
  /** Null: no policy is defined for this engine. */
  readonly policy: AdmissionPolicy | null;
  readonly enabled: Enabled;
  readonly stage: {
    readonly named: string | null;
    /** The highest stage earned by this engine, executable and model; 0 if none. */
    readonly earned: number;
  };
  readonly admissions: Admissions;
  readonly executable: ExecutableFact;
  readonly model: { readonly provider: string | null; readonly name: string | null };
  /** Variables named by records that are set and not empty. */
  readonly variablesSet: ReadonlySet<string>;
  /** Providers for which a check has shown that credentials reach the engine's requests. What a record says about it is not enough. */
  readonly provenBridges: ReadonlySet<string>;
  /** The sign-ins that records of this engine's models name. */
  readonly signIns: Readonly<Partial<Record<SignInName, SignInFact>>>;
  /** What is wrong with the content of a variable that should hold an endpoint, by its name. Never quotes it. */
  readonly endpointFaults: Readonly<Record<string, string>>;
  readonly timeLimit: string | null;
  /** Null: no run is under way, so what depends on its task is not checked. */
  readonly task: TaskFact | null;
  /** What the task's repository is to this user. */
  readonly repository: RepositoryStanding;
  /** False: the run was asked for with `--confine none`. */
  readonly confined: boolean;
  /** Responses of another run are replayed, so no model is contacted. */
  readonly replayed: boolean;
  /** Null until the model is probed. */
  readonly shape: ShapeFact | null;
}

/** 1 to 6; null if unset or not a stage. */
export function stageOf({ stage }: Pick<AdmissionFacts, 'stage'>): number | null {
  return stage.named !== null && /^[1-6]$/.test(stage.named) ? Number(stage.named) : null;
}

/** Whole seconds; null if unset or not a valid time. */
export function timeLimitSeconds({ timeLimit }: Pick<AdmissionFacts, 'timeLimit'>): number | null {
  return timeLimit !== null && /^[1-9]\d{0,5}$/.test(timeLimit) ? Number(timeLimit) : null;
}

/** The record that admits the program named by the caller, or null. */
export function admittedExecutable(facts: Pick<AdmissionFacts, Subjects>): ExecutableRecord | null {
  const { executable, engine, admissions } = facts;
  if (executable.state !== 'present') return null;
  for (const { record } of admissions.records)
    if (record.kind === 'executable' && record.engine === engine && record.sha256 === executable.sha256) return record;
  return null;
}

/** Whether a model takes part: an engine that also runs without one asks only one that is named. */
export function asksModel({ policy, model }: Pick<AdmissionFacts, 'policy' | 'model'>): boolean {
  const source = policy?.model ?? null;
  return source !== null && !(source.from === 'flag' && source.optional === true && model.name === null);
}

/** The models that records admit for an engine. */
export function modelsOfEngine({ engine, admissions }: Pick<AdmissionFacts, 'engine' | 'admissions'>): ModelRecord[] {
  return admissions.records.flatMap(({ record }) =>
    record.kind === 'model' && record.engine === engine ? [record] : [],
  );
}

/** The record that admits the model named by the caller, or null. */
export function admittedModel(facts: Pick<AdmissionFacts, Subjects>): ModelRecord | null {
  const { provider, name } = facts.model;
  return modelsOfEngine(facts).find((record) => record.provider === provider && record.model === name) ?? null;
}

/**
 * The record that admits the source of the engine's program, or null. For an admitted program, only the source it was
 * built from counts, and only at the commit that is pinned now.
 */
export function admittedSource(facts: Pick<AdmissionFacts, Subjects>): SourceRecord | null {
  const program = admittedExecutable(facts);
  for (const { record } of facts.admissions.records) {
    if (record.kind !== 'source' || record.engine !== facts.engine || record.discovery_only) continue;
    if (program === null || (program.source === record.id && program.source_commit === record.commit)) return record;
  }
  return null;
}

/** Built in, or admitted by its digest: the word in task.toml alone does not count. */
export function isArtificial({
  engine,
  admissions,
  task,
}: Pick<AdmissionFacts, 'engine' | 'admissions' | 'task'>): boolean {
  if (task === null || task.mutation !== ARTIFICIAL) return false;
  return (
    task.builtIn ||
    admissions.records.some(
      ({ record }) => record.kind === 'task' && record.engine === engine && record.sha256 === task.sha256,
    )
  );
}

type Subjects = 'engine' | 'admissions' | 'executable' | 'model';
