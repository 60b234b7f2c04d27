import type { EngineDefinition } from '../definition.ts';
import { bridgeSuite } from '../self-test.ts';
import type { LoginPolicy } from '../policy.ts';
import { NO_LOGIN_HEADERS } from '../../gateway/sign-in/headers.ts';
import { SIGN_IN } from '../../evidence/schema/sign-in.ts';
import { caseEngine } from './headless.ts';
import { CASE_REASONS } from './reasons.ts';

const ADAPTER_SUITE = 'case-provider-adapter';
const STAGE2_SUITE = 'case-stage2';
const BRIDGE_SUITE = bridgeSuite('openai-codex');

/** The gateway is the bridge: Case cannot carry a login itself. Nothing of it pretends to be another program to the provider. */
const LOGIN: LoginPolicy = { of: [SIGN_IN.codex, SIGN_IN.pi], headers: NO_LOGIN_HEADERS };

/** WorkOS Case as a candidate for the stages. Variables, suites and report fields keep their established names. */
export const caseDefinition: EngineDefinition = {
  name: 'case',
  policy: {
    enabledBy: 'CTO_HARNESS_ALLOW_CASE',
    stage: { variable: 'CTO_HARNESS_CASE_STAGE', earnedBy: ADAPTER_SUITE },
    executable: { from: 'variable', variable: 'CTO_HARNESS_CASE_BIN' },
    model: { from: 'variables', provider: 'CTO_HARNESS_CASE_MODEL_PROVIDER', name: 'CTO_HARNESS_CASE_MODEL' },
    timeLimit: 'CTO_HARNESS_CASE_TIMEOUT_SECONDS',
    toleratedOtherModels: 0,
    authGaps: { 'openai-codex': 'Case does not pass its OAuth login on to model requests, and no API key serves' },
    logins: { 'openai-codex': LOGIN },
  },
  // `--version` makes Case start a run.
  identify: { args: ['--help'], expects: /^Usage: ca <command> \[options\]$/m },
  headless: { options: [], configure: () => caseEngine },
  reasons: CASE_REASONS,
  reportFields: ({ started, model, named }) => ({
    case_process_started: started,
    case_model_admission_status: model?.admission_status ?? 'not_admitted',
    ...(named.provider === null ? {} : { case_model_provider: named.provider }),
    ...(named.name === null ? {} : { case_model: named.name }),
    ...(typeof model?.runtime_provider === 'string' ? { case_runtime_model_provider: model.runtime_provider } : {}),
  }),
  selfTest: {
    suites: [
      {
        name: ADAPTER_SUITE,
        stage: 1,
        summary: 'admission, and a reason for every failure',
      },
      { name: STAGE2_SUITE, stage: 2, summary: 'the artificial fixture and its evidence' },
      { name: BRIDGE_SUITE, stage: null, summary: 'a login reaches the provider alone' },
    ],
    simulator: 'ca',
    load: async () => (await import('./self-test/suites.ts')).caseSelfTest,
  },
  loops: [
    {
      name: 'case-qwen',
      summary: 'Case with qwen-local / qwen3.6-35b-a3b on the artificial fixture',
      task: 'r1-string-slugify',
      env: {
        CTO_HARNESS_CASE_STAGE: '2',
        CTO_HARNESS_CASE_MODEL_PROVIDER: 'qwen-local',
        CTO_HARNESS_CASE_MODEL: 'qwen3.6-35b-a3b',
      },
      needs: ['CTO_HARNESS_ALLOW_CASE=1', 'CTO_HARNESS_CASE_BIN', 'CTO_HARNESS_CASE_LOCAL_BASE_URL'],
    },
  ],
};
