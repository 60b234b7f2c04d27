/** What an engine has to show before it may run, and which variables of the caller speak for it. */
export interface AdmissionPolicy {
  /** Null: it may run unless the settings say otherwise. Else this variable must be `1`, always. */
  readonly enabledBy: string | null;
  /** Names the stage; null: the engine climbs no ladder. */
  readonly stage: string | null;
  /** Names the program; null: the engine brings none of its own. */
  readonly executable: string | null;
  /** Name provider and model; null: the engine asks no model. */
  readonly model: { readonly provider: string; readonly name: string } | null;
  /** Lowers the task's time limit. */
  readonly timeLimit: string | null;
  /** Providers whose credentials are known not to get as far as this engine's requests, and why. */
  readonly authGaps: Readonly<Record<string, string>>;
}

const FREE: AdmissionPolicy = {
  enabledBy: null,
  stage: null,
  executable: null,
  model: null,
  timeLimit: null,
  authGaps: {},
};

const POLICIES: Readonly<Record<string, AdmissionPolicy>> = {
  fake: FREE,
  command: FREE,
  case: {
    enabledBy: 'CTO_HARNESS_ALLOW_CASE',
    stage: 'CTO_HARNESS_CASE_STAGE',
    executable: 'CTO_HARNESS_CASE_BIN',
    model: { provider: 'CTO_HARNESS_CASE_MODEL_PROVIDER', name: 'CTO_HARNESS_CASE_MODEL' },
    timeLimit: 'CTO_HARNESS_CASE_TIMEOUT_SECONDS',
    authGaps: { 'openai-codex': 'Case does not pass its OAuth login on to model requests, and no API key serves' },
  },
};

/** Null: nothing was decided about this engine, so it may not run. */
export function policyOf(engine: string): AdmissionPolicy | null {
  return (Object.hasOwn(POLICIES, engine) ? POLICIES[engine] : undefined) ?? null;
}

/** Model providers with a public address that everybody knows; any other needs a variable that holds one. */
export const PUBLIC_ENDPOINTS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};
