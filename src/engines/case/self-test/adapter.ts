import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Expected, Scenario, Setting } from '../../self-test.ts';
import { modelRecord, without, withVariables } from './setting.ts';
import { SLUGIFY_SCRIPTS } from './slugify.ts';

const GOOD = SLUGIFY_SCRIPTS['commits, then the verifier hangs'];
const CODEX = { provider: 'openai-codex', model: 'gpt-5.5' } as const;

/** Blocked before the Case process starts. */
export function blocks(reason: RegExp, says = /started false/): Expected {
  return { reason, event: 'gate.checked', status: 'blocked', exit: EXIT.blocked, says };
}

/** The provider is reported as the cause, and Case's own symptom is still listed. */
function providerFault(reason: RegExp, marker: string): Expected {
  const says = new RegExp(`started true.*${marker}.*blockers .*case agent result protocol failed`);
  return { reason, event: 'provider.unavailable', status: 'blocked', exit: EXIT.blocked, says };
}

export const fails = (reason: RegExp, says: RegExp): Expected => ({
  reason,
  event: 'run.completed',
  status: 'fail',
  exit: EXIT.fail,
  says,
});

export const passes = (says: RegExp): Expected => ({
  reason: null,
  event: 'backend.completed_by_harness',
  status: 'pass',
  exit: EXIT.pass,
  says,
});

const gate = (name: string, change: (setting: Setting) => Setting, expected: Expected): Scenario => ({
  name,
  script: GOOD,
  change,
  expected,
});

const soon = (setting: Setting): Setting => withVariables(setting, { CTO_HARNESS_CASE_TIMEOUT_SECONDS: '4' });

const GATES: readonly Scenario[] = [
  gate(
    'case_disabled_by_default',
    (setting) => without(setting, 'CTO_HARNESS_ALLOW_CASE'),
    blocks(/^engine not enabled: case$/),
  ),
  gate('stage_gate_blocks', (setting) => without(setting, 'CTO_HARNESS_CASE_STAGE'), blocks(/^stage not set$/)),
  gate(
    'provider_unavailable_fail_closed',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_BIN: '/nonexistent/ca' }),
    { ...blocks(/^provider unavailable$/), event: 'provider.unavailable' },
  ),
  gate(
    'executable_gate_blocks',
    (setting) => ({ ...setting, records: setting.records.filter(({ kind }) => kind !== 'executable') }),
    blocks(/^executable not admitted$/),
  ),
  gate(
    'model_provider_gate_blocks',
    (setting) => without(setting, 'CTO_HARNESS_CASE_MODEL_PROVIDER', 'CTO_HARNESS_CASE_MODEL'),
    blocks(/^model not admitted$/, /started false.*provider-model-not-admitted\.txt/),
  ),
  gate(
    'unadmitted_model_blocks',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_MODEL: 'qwen-other' }),
    blocks(/^model not admitted$/, /started false.*not_admitted.*provider-model-not-admitted\.txt/),
  ),
  gate(
    'codex_auth_bridge_gap_blocks',
    (setting) => ({
      ...withVariables(setting, {
        CTO_HARNESS_CASE_MODEL_PROVIDER: CODEX.provider,
        CTO_HARNESS_CASE_MODEL: CODEX.model,
      }),
      records: [...setting.records, modelRecord(CODEX)],
    }),
    blocks(/^provider auth bridge unavailable$/, /started false.*provider-auth-bridge-unavailable\.txt/),
  ),
  gate(
    'local_endpoint_gate_blocks',
    (setting) => without(setting, 'CTO_HARNESS_CASE_LOCAL_BASE_URL'),
    blocks(/^provider unavailable$/, /started false.*provider-local-config-unavailable\.txt/),
  ),
  gate(
    'invalid_time_limit_blocks',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_TIMEOUT_SECONDS: 'soon' }),
    blocks(/time limit/),
  ),
  {
    name: 'reasoning_only_provider_blocks',
    script: SLUGIFY_SCRIPTS['only thinks'],
    expected: blocks(/^provider response shape unavailable$/, /started false.*provider-reasoning-only\.txt/),
  },
];

const LIFE: readonly Scenario[] = [
  {
    name: 'provider_timeout_fail_closed',
    script: GOOD,
    fault: { kind: 'hang', from: 1 },
    change: soon,
    expected: {
      ...fails(/^case engine failed with exit code 124$/, /started true; completion timed_out.*provider-timeout\.txt/),
      event: 'backend.timeout',
    },
  },
  {
    name: 'agent_protocol_failure_classified',
    script: SLUGIFY_SCRIPTS['answers without an envelope'],
    expected: fails(
      /^case agent result protocol failed$/,
      /changed nothing; tests not passed.*provider-agent-protocol\.txt.*no diff produced/,
    ),
  },
  {
    name: 'valid_patch_without_envelope_fails',
    script: SLUGIFY_SCRIPTS['commits, without an envelope'],
    expected: fails(/^case agent result protocol failed$/, /changed strings\.py/),
  },
  {
    name: 'http_error_told_apart',
    script: GOOD,
    fault: { kind: 'http_500', from: 1 },
    expected: providerFault(/^provider unavailable: HTTP 500$/, 'provider-unavailable\\.txt'),
  },
  {
    name: 'provider_fault_keeps_the_work',
    script: GOOD,
    fault: { kind: 'http_500', from: 3 },
    expected: {
      ...providerFault(/^provider unavailable: HTTP 500$/, ''),
      says: /started true.*changed strings\.py; tests not passed/,
    },
  },
  {
    name: 'cut_stream_told_apart',
    script: GOOD,
    fault: { kind: 'cut_stream', from: 1 },
    expected: providerFault(/^provider unavailable: the answer was cut off$/, 'provider-unavailable\\.txt'),
  },
  {
    name: 'unreadable_answer_told_apart',
    script: GOOD,
    fault: { kind: 'invalid_sse', from: 1 },
    expected: providerFault(/^provider unavailable: the answer cannot be read$/, 'provider-unavailable\\.txt'),
  },
  {
    name: 'reasoning_only_answer_told_apart',
    script: GOOD,
    fault: { kind: 'reasoning_only', from: 1 },
    expected: providerFault(/^provider response shape unavailable$/, 'provider-reasoning-only\\.txt'),
  },
  {
    name: 'invented_commit_fails',
    script: SLUGIFY_SCRIPTS.lies,
    expected: fails(/^no diff produced$/, /blockers .*claimed commit not found/),
  },
  {
    name: 'other_model_is_refused',
    script: SLUGIFY_SCRIPTS['asks for another model'],
    expected: { ...fails(/^model not admitted: another-model$/, /started true/), event: 'model.refused' },
  },
  {
    name: 'other_host_is_refused',
    script: SLUGIFY_SCRIPTS['asks another host'],
    expected: { ...fails(/host/, /started true/), event: 'model.refused' },
  },
  {
    name: 'local_provider_delayed_content_allows_case',
    script: SLUGIFY_SCRIPTS['comes to its answer late'],
    expected: { ...passes(/started true/), event: 'backend.started' },
  },
  {
    name: 'qwen_local_openai_compat_allows_case',
    script: GOOD,
    expected: passes(
      /started true; completion completed_by_harness; model qwen-local\/qwen3\.6-35b-a3b as openai admitted.*leaks 0/,
    ),
  },
];

/** Stage 1: Case runs only with complete admission, and every kind of failure has its own reason. */
export const ADAPTER_SCENARIOS: readonly Scenario[] = [...GATES, ...LIFE];
