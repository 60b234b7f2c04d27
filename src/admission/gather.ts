import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { digestInstalled, findInstalledPrograms } from '../confine/tools/installed-program.ts';
import { digestFile } from '../evidence/storage/file-tree.ts';
import type { SignInName } from '../evidence/schema/sign-in.ts';
import { endpointFault } from '../gateway/plan-fault.ts';
import { signInTargetFault } from '../gateway/sign-in/read.ts';
import type { AcpProfiles } from '../engines/acp/profile.ts';
import { type AdmissionPolicy, REQUIRED_STAGE } from '../engines/policy.ts';
import type { StageSubject } from '../evidence/stage-records/schema.ts';
import { enginesWith } from '../engines/list.ts';
import { messageOf, systemCode } from '../kernel/errors.ts';
import { readModelName, USUAL_KEYS } from '../engines/providers.ts';
import { type AdmissionFacts, type ExecutableFact, modelsOfEngine, type RepositoryStanding } from './facts.ts';
import { signInFact } from './login.ts';
import { temporaryDirOf } from './temporary-dirs.ts';
import { policyOf } from './policy.ts';
import type { Admissions } from './records/read.ts';

/** The caller's settings for an admission. */
export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly admissions: Admissions;
  /** Engines disabled in the settings. */
  readonly disabled: readonly string[];
  /** Agents that the settings describe. */
  readonly profiles?: AcpProfiles;
  /** The model that `--model` or the settings name for an engine; null if they name none. */
  readonly modelFor: (engine: string) => string | null;
  /** Where digests of programs are cached; null: nowhere. */
  readonly cacheDir: string | null;
  /** Looks at programs and stages of engines that are not enabled too, which takes time; for a list of all obstacles. */
  readonly inspectsDisabled?: true;
  /** Whether a passing, signed check report shows a bridge for this provider with this executable. */
  readonly isBridgeProven?: (provider: string, executableSha256: string | null) => boolean;
  /** Directories whose programs do not run. */
  readonly temporary: readonly string[];
  /** The highest stage that an engine with this program and model has earned; 0 if none. */
  readonly earnedStage: (stage: NonNullable<AdmissionPolicy['stage']>, subject: StageSubject) => number;
  /** Engines for which the settings require stages. */
  readonly requireStage?: readonly string[];
  /** What a repository is to this user. Absent: nothing special. */
  readonly repositoryStanding?: (path: string) => RepositoryStanding;
}

/** What is known of every engine that a run could use, and of the one that was asked for, which may be none of them. */
export interface GatheredFacts {
  readonly engines: readonly AdmissionFacts[];
  readonly requested: AdmissionFacts;
}

/**
 * Collects the facts for a run with this engine from the caller's environment. Of variables with endpoints and keys, records only
 * whether they are set. Starts no process and contacts no model, so the response shape is still unknown.
 */
export function gatherFacts(requested: string, settings: Caller, { isControl, ...run }: RunFacts): GatheredFacts {
  const caller = isControl === true ? unrestricted(settings) : settings;
  const definitions = enginesWith(caller.profiles ?? {});
  const wanted = definitions.flatMap(({ policy: { executable } }) =>
    executable?.from === 'path' ? [executable.program] : [],
  );
  const installed = findInstalledPrograms(wanted, caller.env);
  const repository = standingOf(run, caller);
  const about = (name: string, policy: AdmissionPolicy | null): AdmissionFacts => ({
    ...factsOf(name, policy === null ? null : staged(name, policy, caller), caller, installed),
    ...run,
    repository,
  });
  const engines = definitions.map(({ name, policy }) => about(name, policy));
  const known = engines.find(({ engine }) => engine === requested);
  return { engines, requested: known ?? about(requested, null) };
}

/** What is known of one engine, whatever the run. */
export function gatherAdmissionFacts(engine: string, caller: Caller): AdmissionFacts {
  const known = policyOf(engine, caller.profiles);
  const policy = known === null ? null : staged(engine, known, caller);
  const wanted = policy?.executable?.from === 'path' ? [policy.executable.program] : [];
  return factsOf(engine, policy, caller, findInstalledPrograms(wanted, caller.env));
}

/** The control is the harness's own yardstick: that the engine which plays it is disabled or has to earn stages does not concern it. */
function unrestricted(caller: Caller): Caller {
  return { ...caller, disabled: [], requireStage: [] };
}

/** The stage check binds some engines always, others where the settings ask for it. */
function staged(engine: string, policy: AdmissionPolicy, { requireStage = [] }: Caller): AdmissionPolicy {
  return policy.stage === null && requireStage.includes(engine) ? { ...policy, stage: REQUIRED_STAGE } : policy;
}

function standingOf({ task }: RunFacts, { repositoryStanding }: Caller): RepositoryStanding {
  if (task === null || task.repository === null) return 'other';
  return repositoryStanding?.(task.repository) ?? 'other';
}

/** What decides about an engine for one run. */
export interface RunFacts extends Pick<AdmissionFacts, 'task' | 'confined' | 'replayed'> {
  /** The run is the control of another one. */
  readonly isControl?: boolean;
}

const NO_RUN: RunFacts = { task: null, confined: true, replayed: false };

type Installed = ReadonlyMap<string, string>;

function factsOf(engine: string, policy: AdmissionPolicy | null, caller: Caller, installed: Installed): AdmissionFacts {
  const { env, admissions, disabled, earnedStage, inspectsDisabled, isBridgeProven } = caller;
  const read = (variable: string | null | undefined): string | null =>
    variable === null || variable === undefined ? null : valueIn(env, variable);
  const enabled = disabled.includes(engine)
    ? 'disabled by settings'
    : policy === null || (policy.enabledBy !== null && env[policy.enabledBy] !== '1')
      ? 'variable not set'
      : 'yes';
  const inspected = enabled === 'yes' || inspectsDisabled === true;
  const executable: ExecutableFact =
    inspected && policy !== null ? findExecutable(engine, policy, caller, installed) : { state: 'not named' };
  const sha256 = executable.state === 'present' ? executable.sha256 : null;
  const model = policy === null ? NO_MODEL : nameModel(engine, policy, caller);
  const ladder = inspected ? (policy?.stage ?? null) : null;
  const earned = ladder === null ? 0 : earnedStage(ladder, subjectOf(engine, sha256, model));
  const gaps = inspected ? Object.keys(policy?.authGaps ?? {}) : [];
  const provenBridges = new Set(gaps.filter((provider) => isBridgeProven?.(provider, sha256) === true));
  return {
    engine,
    policy,
    enabled,
    stage: { named: read(policy?.stage?.variable), earned },
    admissions,
    executable,
    model,
    variablesSet: new Set([...namedVariables(admissions), ...USUAL_KEYS].filter((variable) => read(variable) !== null)),
    provenBridges,
    signIns: Object.fromEntries(
      modelsOfEngine({ engine, admissions }).flatMap(({ login }) =>
        login === undefined ? [] : [[login, signInFact(login, env, Date.now())] as const],
      ),
    ),
    endpointFaults: Object.fromEntries(
      admissions.records.flatMap(({ record }) => {
        if (record.kind !== 'model' || record.endpoint_variable === null) return [];
        const { endpoint_variable: variable, login } = record;
        const value = read(variable);
        const fault = value === null ? null : (endpointFault(value) ?? targetFault(login, value));
        return fault === null ? [] : [[variable, fault] as const];
      }),
    ),
    timeLimit: read(policy?.timeLimit),
    repository: 'other',
    ...NO_RUN,
    shape: null,
  };
}

function targetFault(login: SignInName | undefined, endpoint: string): string | null {
  return login === undefined ? null : signInTargetFault(login, endpoint);
}

function valueIn(env: Caller['env'], variable: string): string | null {
  const value = env[variable]?.trim();
  return value === undefined || value === '' ? null : value;
}

function namedVariables({ records }: Admissions): string[] {
  return records.flatMap(({ record }) =>
    record.kind === 'model' ? [record.endpoint_variable, record.key_variable].filter((name) => name !== null) : [],
  );
}

function findExecutable(
  engine: string,
  { executable: source }: AdmissionPolicy,
  caller: Caller,
  installed: Installed,
): ExecutableFact {
  if (source === null) return { state: 'not named' };
  if (source.from === 'variable') {
    const named = valueIn(caller.env, source.variable);
    if (named === null) return { state: 'not named' };
    const path = resolve(caller.cwd, named);
    const dir = temporaryDirOf(path, caller.temporary);
    return dir === null ? lookAt(path, 'copy', digestFile) : { state: 'temporary', path, dir };
  }
  const path = installed.get(source.program);
  if (path === undefined) return { state: 'not named' };
  // Digesting a package costs time, and without a record its digest decides nothing.
  const isRecorded = caller.admissions.records.some(
    ({ record }) => record.kind === 'executable' && record.engine === engine,
  );
  return isRecorded
    ? lookAt(path, 'in place', (found) => digestInstalled(found, caller.cacheDir))
    : { state: 'not recorded', path };
}

const NO_MODEL: AdmissionFacts['model'] = { provider: null, name: null };

function subjectOf(engine: string, sha256: string | null, { provider, name }: AdmissionFacts['model']): StageSubject {
  return {
    engine,
    executable_sha256: sha256,
    model: provider === null || name === null ? null : `${provider}/${name}`,
  };
}

/** Who would earn a stage by a run now. */
export function stageSubjectOf({ engine, executable, model }: AdmissionFacts): StageSubject {
  return subjectOf(engine, executable.state === 'present' ? executable.sha256 : null, model);
}

/** With `--model` left out, the only admitted model is meant. */
function nameModel(engine: string, { model: source }: AdmissionPolicy, caller: Caller): AdmissionFacts['model'] {
  if (source === null) return NO_MODEL;
  if (source.from === 'variables')
    return { provider: valueIn(caller.env, source.provider), name: valueIn(caller.env, source.name) };
  const named = caller.modelFor(engine);
  if (named !== null) return readModelName(named, source) ?? { provider: null, name: named };
  if (source.optional === true) return NO_MODEL;
  const [only, ...others] = modelsOfEngine({ engine, admissions: caller.admissions });
  return only === undefined || others.length > 0 ? NO_MODEL : { provider: only.provider, name: only.model };
}

/** A program is identified by its digest. */
function lookAt(
  path: string,
  use: 'in place' | 'copy',
  digest: (path: string) => { readonly sha256: string; readonly bytes: number },
): ExecutableFact {
  try {
    if (!statSync(path).isFile()) return { state: 'unusable', path, why: 'is not a file' };
    accessSync(path, constants.X_OK);
    return { state: 'present', path, ...digest(path), use };
  } catch (error) {
    return { state: 'unusable', path, why: whyUnusable(error) };
  }
}

function whyUnusable(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
      return 'is not readable and executable';
    default:
      return `cannot be read (${messageOf(error)})`;
  }
}
