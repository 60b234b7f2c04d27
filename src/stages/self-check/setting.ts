import type { Caller } from '../../admission/gather.ts';
import type { AdmissionRecord, ModelRecord } from '../../evidence/schema/admission.ts';
import type { Terms } from '../../task/contract.ts';

/** The names under which the local model of the standard route was admitted. */
const QWEN = { provider: 'qwen-local', model: 'qwen3.6-35b-a3b' } as const;

/** Looked for afterwards in everything that was kept. */
export const KEY_CANARY = 'check-key-5f0c1d7e9a3b4826';

const KEY_VARIABLE = 'SEATRIAL_CHECK_KEY';
const ADMITTED = { admitted_at: '2000-01-01T00:00:00.000Z', approver: 'seatrial check' };

/** All that the caller of a run has said and done before it: what a row may change about it is changed here. */
export interface Setting {
  readonly env: Readonly<Record<string, string>>;
  readonly records: readonly AdmissionRecord[];
  readonly earnedStage: number;
  readonly terms: Terms;
}

export interface CaseProgram {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Everything in place: the program and the model are admitted, the stage is named. */
export function completeSetting(program: CaseProgram, stage: number, modelUrl: string, terms: Terms): Setting {
  return {
    env: {
      CTO_HARNESS_ALLOW_CASE: '1',
      CTO_HARNESS_CASE_STAGE: String(stage),
      CTO_HARNESS_CASE_BIN: program.path,
      CTO_HARNESS_CASE_MODEL_PROVIDER: QWEN.provider,
      CTO_HARNESS_CASE_MODEL: QWEN.model,
      CTO_HARNESS_CASE_LOCAL_BASE_URL: modelUrl,
      [KEY_VARIABLE]: KEY_CANARY,
    },
    records: [executableRecord(program), modelRecord(QWEN)],
    earnedStage: stage - 1,
    terms,
  };
}

export function callerIn({ env, records, earnedStage }: Setting): Caller {
  const admissions = { records: records.map((record, at) => ({ file: `${at}.json`, record })), faults: [] };
  return { env, cwd: '/', admissions, disabled: [], earnedStage: () => earnedStage };
}

function executableRecord({ path, sha256, bytes }: CaseProgram): AdmissionRecord {
  const kind = { schema_version: 1, kind: 'executable', engine: 'case' } as const;
  return { ...kind, sha256, size: bytes, path, source: null, source_commit: null, identity: '', ...ADMITTED };
}

/** Run as Case's own `openai`, whatever it was admitted as: Case sends no request for a provider it does not know. */
export function modelRecord(admitted: { readonly provider: string; readonly model: string }): ModelRecord {
  return {
    schema_version: 1,
    kind: 'model',
    engine: 'case',
    ...admitted,
    runtime: { provider: 'openai', model: admitted.model },
    wire: 'openai-chat',
    endpoint_variable: 'CTO_HARNESS_CASE_LOCAL_BASE_URL',
    key_variable: KEY_VARIABLE,
    auth_bridge: null,
    prices: null,
    ...ADMITTED,
  };
}

/** The same without some of its variables. */
export function without(setting: Setting, ...names: readonly string[]): Setting {
  return { ...setting, env: Object.fromEntries(Object.entries(setting.env).filter(([name]) => !names.includes(name))) };
}

export function withVariables(setting: Setting, variables: Readonly<Record<string, string>>): Setting {
  return { ...setting, env: { ...setting.env, ...variables } };
}
