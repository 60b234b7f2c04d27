import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { digestFile } from '../evidence/storage/file-tree.ts';
import type { AdmissionPolicy } from '../engines/policy.ts';
import { messageOf, systemCode } from '../kernel/errors.ts';
import type { AdmissionFacts, ExecutableFact } from './facts.ts';
import { policyOf } from './policy.ts';
import type { Admissions } from './records/read.ts';

/** The caller's settings for an admission. */
export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly admissions: Admissions;
  /** Engines disabled in the settings. */
  readonly disabled: readonly string[];
  /** Digests the programs of engines that are not enabled too, which takes time; for a list of all obstacles. */
  readonly inspectsDisabled?: true;
  /**
   * The highest stage that an executable has earned; 0 if none. Null: any executable, since a missing one is refused
   * anyway.
   */
  readonly earnedStage: (stage: NonNullable<AdmissionPolicy['stage']>, executableSha256: string | null) => number;
}

/**
 * Collects the facts for one engine from the caller's environment. Of variables with endpoints and keys, records only
 * whether they are set. Starts no process and contacts no model, so the response shape is still unknown.
 */
export function gatherAdmissionFacts(engine: string, caller: Caller): AdmissionFacts {
  const { env, cwd, admissions, disabled, earnedStage, inspectsDisabled } = caller;
  const policy = policyOf(engine);
  const read = (variable: string | null | undefined): string | null => {
    const value = variable === null || variable === undefined ? undefined : env[variable]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const enabled = disabled.includes(engine)
    ? 'disabled by settings'
    : policy === null || (policy.enabledBy !== null && env[policy.enabledBy] !== '1')
      ? 'variable not set'
      : 'yes';
  const program = enabled === 'yes' || inspectsDisabled === true ? read(policy?.executable) : null;
  const executable: ExecutableFact = program === null ? { state: 'not named' } : lookAt(resolve(cwd, program));
  const sha256 = executable.state === 'present' ? executable.sha256 : null;
  return {
    engine,
    policy,
    enabled,
    stage: {
      named: read(policy?.stage?.variable),
      earned: policy === null || policy.stage === null ? 0 : earnedStage(policy.stage, sha256),
    },
    admissions,
    executable,
    model: { provider: read(policy?.model?.provider), name: read(policy?.model?.name) },
    variablesSet: new Set(namedVariables(admissions).filter((variable) => read(variable) !== null)),
    timeLimit: read(policy?.timeLimit),
    task: null,
    confined: true,
    replayed: false,
    shape: null,
  };
}

function namedVariables({ records }: Admissions): string[] {
  return records.flatMap(({ record }) =>
    record.kind === 'model' ? [record.endpoint_variable, record.key_variable].filter((name) => name !== null) : [],
  );
}

/** A program is identified by its digest; reads it in chunks. */
function lookAt(path: string): ExecutableFact {
  try {
    if (!statSync(path).isFile()) return { state: 'unusable', path, why: 'is not a file' };
    accessSync(path, constants.X_OK);
    return { state: 'present', path, ...digestFile(path) };
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
