import type { AdmissionRecord, ModelRecord } from '../../../evidence/schema/admission.ts';
import { SIGN_IN } from '../../../evidence/schema/sign-in.ts';
import type { Terms } from '../../../task/contract.ts';
import type { CheckedProgram, Setting } from '../../self-test.ts';

/** The admitted identity of the standard route's local model. */
const QWEN = { provider: 'qwen-local', model: 'qwen3.6-35b-a3b' } as const;

/** The model of the seeds' first blocker, which only a login reaches. */
export const CODEX = { provider: 'openai-codex', model: 'gpt-5.5' } as const;

/** Must not occur in any kept file. */
export const KEY_CANARY = 'check-key-5f0c1d7e9a3b4826';

const KEY_VARIABLE = 'SEATRIAL_CHECK_KEY';
const ADMITTED = { admitted_at: '2000-01-01T00:00:00.000Z', approver: 'seatrial check' };

/** A complete setting: program, model and task are admitted, and stage 1 counts as earned, since its own checks run here too. */
export function completeSetting(program: CheckedProgram, modelUrl: string, terms: Terms): Setting {
  return {
    env: {
      CTO_HARNESS_ALLOW_CASE: '1',
      CTO_HARNESS_CASE_STAGE: '2',
      CTO_HARNESS_CASE_BIN: program.path,
      CTO_HARNESS_CASE_MODEL_PROVIDER: QWEN.provider,
      CTO_HARNESS_CASE_MODEL: QWEN.model,
      CTO_HARNESS_CASE_LOCAL_BASE_URL: modelUrl,
      [KEY_VARIABLE]: KEY_CANARY,
    },
    records: [executableRecord(program), modelRecord(QWEN)],
    earnedStage: 1,
    terms,
    admitsTask: true,
  };
}

function executableRecord({ path, sha256, bytes }: CheckedProgram): AdmissionRecord {
  const kind = { schema_version: 1, kind: 'executable', engine: 'case' } as const;
  return { ...kind, sha256, size: bytes, path, source: null, source_commit: null, identity: '', ...ADMITTED };
}

/** Always runs as Case's built-in `openai`, because Case sends no requests for unknown providers. */
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

/** The same setting with that model, asked through the bridge. */
export function bridgedSetting(setting: Setting): Setting {
  const record: ModelRecord = {
    ...modelRecord(CODEX),
    wire: 'openai-responses',
    key_variable: null,
    login: SIGN_IN.codex,
    auth_bridge: { name: 'login of codex through the gateway', evidence: 'this check' },
  };
  return {
    ...withVariables(setting, {
      CTO_HARNESS_CASE_MODEL_PROVIDER: CODEX.provider,
      CTO_HARNESS_CASE_MODEL: CODEX.model,
    }),
    records: [...setting.records.filter(({ kind }) => kind !== 'model'), record],
    // Its own check runs here.
    provesBridge: true,
  };
}

/** A copy of the setting without these variables. */
export function without(setting: Setting, ...names: readonly string[]): Setting {
  return { ...setting, env: Object.fromEntries(Object.entries(setting.env).filter(([name]) => !names.includes(name))) };
}

export function withVariables(setting: Setting, variables: Readonly<Record<string, string>>): Setting {
  return { ...setting, env: { ...setting.env, ...variables } };
}
