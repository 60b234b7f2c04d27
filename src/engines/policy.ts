import type { SignInName } from '../evidence/schema/sign-in.ts';
import type { Wire } from '../evidence/schema/exchange.ts';
import type { LoginHeaders } from '../gateway/sign-in/headers.ts';

/** How an engine's program is found: only at the path in a variable, or by its name where people install programs. */
export type ProgramSource =
  | { readonly from: 'variable'; readonly variable: string }
  | {
      readonly from: 'path';
      readonly program: string;
      /** The command that installs it. */
      readonly install: string;
    };

/** How a run's model is chosen: by two variables, or by `--model`. */
export type ModelSource =
  | { readonly from: 'variables'; readonly provider: string; readonly name: string }
  | OfferedModels;

export interface OfferedModels {
  readonly from: 'flag';
  /** The protocols that the program speaks, the preferred one first. */
  readonly wires: readonly Wire[];
  /** The provider of a model that is named without one. Null: a model is always named with its provider. */
  readonly provider: string | null;
  /** The engine also runs without a model: only one that is named is used. */
  readonly optional?: true;
  /** Short names of the provider's models. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** A program's own sign-in that may serve an engine's requests. */
export interface LoginPolicy {
  /** Whose sign-in, the engine's own first. */
  readonly of: readonly SignInName[];
  /** The engine's headers that the provider demands. */
  readonly headers: LoginHeaders;
}

/** What an engine must show before it may run, and which of the caller's variables configure it. */
export interface AdmissionPolicy {
  /** This variable must be `1`, always. Null: it may run unless seatrial.toml disables it. */
  readonly enabledBy: string | null;
  /** The variable that names the stage, and the suite that earns stage 1; without one, admission does. Null: the engine has no stages. */
  readonly stage: { readonly variable: string; readonly earnedBy: string | null } | null;
  /** Null: the engine has no program of its own. */
  readonly executable: ProgramSource | null;
  /** Null: the engine asks no model. */
  readonly model: ModelSource | null;
  /** The variable that replaces the task's time limit, and bounds the first question to the model. */
  readonly timeLimit: string | null;
  /** How often it may ask for a model that is not admitted, and is refused, before the run ends. */
  readonly toleratedOtherModels: number;
  /** Providers whose credentials cannot reach this engine's requests, each with the reason. */
  readonly authGaps: Readonly<Record<string, string>>;
  /** The logins it may be admitted with, by provider. All others need a key. */
  readonly logins: Readonly<Record<string, LoginPolicy>>;
}

/** The same for an engine whose user wants stages for it. */
export const REQUIRED_STAGE: NonNullable<AdmissionPolicy['stage']> = { variable: 'SEATRIAL_STAGE', earnedBy: null };

/** For engines that bring no program and ask no model. */
export const UNRESTRICTED: AdmissionPolicy = {
  enabledBy: null,
  stage: null,
  executable: null,
  model: null,
  timeLimit: null,
  toleratedOtherModels: 2,
  authGaps: {},
  logins: {},
};
