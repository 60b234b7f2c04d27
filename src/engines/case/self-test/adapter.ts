import { reason } from '../../../evidence/reasons/catalogue.ts';
import { caseReason } from '../reasons.ts';
import { anyWithCode, type ExpectedReason } from '../../self-test.ts';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Expected, Scenario, Setting } from '../../self-test.ts';
import { CODEX, modelRecord, without, withVariables } from './setting.ts';
import { SLUGIFY_SCRIPTS } from './slugify.ts';

const GOOD = SLUGIFY_SCRIPTS['commits, then the verifier hangs'];

/** Blocked before the Case process starts. */
export function blocks(wanted: ExpectedReason, says = /started false/): Expected {
  return { reason: wanted, event: 'gate.checked', status: 'blocked', exit: EXIT.blocked, says };
}

/** The provider is reported as the cause, and Case's own symptom is still listed. */
function providerFault(wanted: ExpectedReason, marker: string): Expected {
  const says = new RegExp(`started true.*${marker}.*blockers .*case_result_protocol`);
  return { reason: wanted, event: 'provider.unavailable', status: 'blocked', exit: EXIT.blocked, says };
}

export const fails = (wanted: ExpectedReason, says: RegExp): Expected => ({
  reason: wanted,
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
    blocks(reason('engine_not_enabled', { engine: 'case' })),
  ),
  gate('stage_gate_blocks', (setting) => without(setting, 'CTO_HARNESS_CASE_STAGE'), blocks(reason('stage_not_set'))),
  gate(
    'provider_unavailable_fail_closed',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_BIN: '/nonexistent/ca' }),
    { ...blocks(reason('provider_unavailable')), event: 'provider.unavailable' },
  ),
  gate(
    'executable_gate_blocks',
    (setting) => ({ ...setting, records: setting.records.filter(({ kind }) => kind !== 'executable') }),
    blocks(reason('executable_not_admitted')),
  ),
  gate(
    'model_provider_gate_blocks',
    (setting) => without(setting, 'CTO_HARNESS_CASE_MODEL_PROVIDER', 'CTO_HARNESS_CASE_MODEL'),
    blocks(reason('model_not_admitted'), /started false.*provider-model-not-admitted\.txt/),
  ),
  gate(
    'unadmitted_model_blocks',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_MODEL: 'qwen-other' }),
    blocks(reason('model_not_admitted'), /started false.*not_admitted.*provider-model-not-admitted\.txt/),
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
    blocks(reason('auth_bridge_unavailable'), /started false.*provider-auth-bridge-unavailable\.txt/),
  ),
  gate(
    'local_endpoint_gate_blocks',
    (setting) => without(setting, 'CTO_HARNESS_CASE_LOCAL_BASE_URL'),
    blocks(reason('provider_unavailable'), /started false.*provider-local-config-unavailable\.txt/),
  ),
  gate(
    'invalid_time_limit_blocks',
    (setting) => withVariables(setting, { CTO_HARNESS_CASE_TIMEOUT_SECONDS: 'soon' }),
    blocks(reason('invalid_time_limit')),
  ),
  {
    name: 'reasoning_only_provider_blocks',
    script: SLUGIFY_SCRIPTS['only thinks'],
    expected: blocks(reason('response_shape_unavailable'), /started false.*provider-reasoning-only\.txt/),
  },
];

const LIFE: readonly Scenario[] = [
  {
    name: 'provider_timeout_fail_closed',
    script: GOOD,
    fault: { kind: 'hang', from: 1 },
    change: soon,
    expected: {
      ...fails(
        reason('engine_timed_out', { engine: 'case' }),
        /started true; completion timed_out.*provider-timeout\.txt/,
      ),
      event: 'backend.timeout',
    },
  },
  {
    name: 'agent_protocol_failure_classified',
    script: SLUGIFY_SCRIPTS['answers without an envelope'],
    expected: fails(
      caseReason('case_result_protocol'),
      /changed nothing; tests not passed.*provider-agent-protocol\.txt.*no_diff/,
    ),
  },
  {
    name: 'valid_patch_without_envelope_fails',
    script: SLUGIFY_SCRIPTS['commits, without an envelope'],
    expected: fails(caseReason('case_result_protocol'), /changed strings\.py/),
  },
  {
    name: 'http_error_told_apart',
    script: GOOD,
    fault: { kind: 'http_500', from: 1 },
    expected: providerFault(reason('provider_http_error', { status: 500 }), 'provider-unavailable\\.txt'),
  },
  {
    name: 'provider_fault_keeps_the_work',
    script: GOOD,
    fault: { kind: 'http_500', from: 3 },
    expected: {
      ...providerFault(reason('provider_http_error', { status: 500 }), ''),
      says: /started true.*changed strings\.py; tests not passed/,
    },
  },
  {
    name: 'cut_stream_told_apart',
    script: GOOD,
    fault: { kind: 'cut_stream', from: 1 },
    expected: providerFault(reason('provider_cut_off'), 'provider-unavailable\\.txt'),
  },
  {
    name: 'unreadable_answer_told_apart',
    script: GOOD,
    fault: { kind: 'invalid_sse', from: 1 },
    expected: providerFault(reason('provider_unreadable'), 'provider-unavailable\\.txt'),
  },
  {
    name: 'reasoning_only_answer_told_apart',
    script: GOOD,
    fault: { kind: 'reasoning_only', from: 1 },
    expected: providerFault(reason('response_shape_unavailable'), 'provider-reasoning-only\\.txt'),
  },
  {
    name: 'invented_commit_fails',
    script: SLUGIFY_SCRIPTS.lies,
    expected: fails(reason('no_diff'), /blockers .*claimed_commit_missing/),
  },
  {
    name: 'other_model_is_refused',
    script: SLUGIFY_SCRIPTS['asks for another model'],
    expected: {
      ...fails(reason('other_model_requested', { model: 'another-model' }), /started true/),
      event: 'model.refused',
    },
  },
  {
    name: 'other_model_answered_fails',
    script: SLUGIFY_SCRIPTS['is another model'],
    expected: {
      ...fails(reason('other_model_answered', { model: 'another-model' }), /started true/),
      event: 'model.request',
    },
  },
  {
    name: 'other_model_served_blocks',
    script: SLUGIFY_SCRIPTS['is served under another name'],
    expected: blocks(reason('other_model_served', { model: '/models/qwen.gguf' })),
  },
  {
    name: 'hanging_provider_blocks_in_time',
    script: SLUGIFY_SCRIPTS.hangs,
    change: soon,
    expected: { ...blocks(reason('provider_unavailable')), event: 'provider.unavailable' },
  },
  {
    name: 'other_host_is_refused',
    script: SLUGIFY_SCRIPTS['asks another host'],
    expected: { ...fails(anyWithCode('other_host_requested'), /started true/), event: 'model.refused' },
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
