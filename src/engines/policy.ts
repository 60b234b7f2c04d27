/** What an engine must show before it may run, and which of the caller's variables configure it. */
export interface AdmissionPolicy {
  /** This variable must be `1`, always. Null: it may run unless seatrial.toml disables it. */
  readonly enabledBy: string | null;
  /** The variable that names the stage, and the suite that earns stage 1. Null: the engine has no stages. */
  readonly stage: { readonly variable: string; readonly earnedBy: string } | null;
  /** The variable with the path of its program. Null: the engine has no program of its own. */
  readonly executable: string | null;
  /** The variables with provider and model. Null: the engine asks no model. */
  readonly model: { readonly provider: string; readonly name: string } | null;
  /** The variable that replaces the task's time limit, and bounds the first question to the model. */
  readonly timeLimit: string | null;
  /** Providers whose credentials cannot reach this engine's requests, each with the reason. */
  readonly authGaps: Readonly<Record<string, string>>;
}

/** For engines that bring no program and ask no model. */
export const UNRESTRICTED: AdmissionPolicy = {
  enabledBy: null,
  stage: null,
  executable: null,
  model: null,
  timeLimit: null,
  authGaps: {},
};
