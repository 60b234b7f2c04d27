import type { ScreenRule } from './screen.ts';

/** Stands in `PaneLaunch.argv` where the text of the kickoff belongs; the launch script reads it from its file. */
export const KICKOFF_ARGUMENT = '\u0000kickoff';

/** What a program may know of the pane that it is started in. */
export interface PaneContext {
  /** The agent's working directory. */
  readonly cwd: string;
  /** Resolved name of the model; null: the program's own choice. */
  readonly model: string | null;
  /** The agent's own configuration directory, for CLAUDE_CONFIG_DIR, CODEX_HOME and the like. Exists. */
  readonly configDir: string;
  /** Where a hook of the program writes one file an event. Exists. */
  readonly hooksDir: string;
  /** The conversation: of `start` one that was chosen now, of `resume` the one to go on with. */
  readonly conversation: string;
  /** `args` of agents.toml. */
  readonly args: readonly string[];
  /** `command` of agents.toml: a shell line, for programs that Seatrial does not know. */
  readonly command: string | null;
}

/** How to start a program in a pane. It is described here; `agents/lifecycle/` starts it, in a sandbox. */
export interface PaneLaunch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written below `configDir` before the start if they are missing: answers to trust and onboarding questions, hooks. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The interactive part of an engine: how its program is started in a terminal, goes on with a conversation, is given a kickoff, and what
 * its screens mean. No function may throw.
 */
export interface PaneDefinition {
  /** Looked up on PATH. Null: it comes with Seatrial, or is a shell line. */
  readonly program: string | null;
  /** Whether it asks a model; `model` is then required in agents.toml. */
  readonly asksModel: boolean;
  start(context: PaneContext): PaneLaunch;
  /** Goes on with a conversation, and is given the kickoff again. Null: the program cannot. */
  resume(context: PaneContext): PaneLaunch | null;
  /**
   * `argument`: the launch script passes it as `KICKOFF_ARGUMENT`; one that is too long for an argument is pasted.
   * `paste`: always pasted, once the screen shows `idle`.
   */
  readonly kickoff: 'argument' | 'paste';
  /** The same after `resume`, for a program that then ignores the argument. Absent: no difference. */
  readonly resumedKickoff?: 'paste';
  /** `chosen`: the context's id is the program's. `found`: `findConversation` reads it after the kickoff was taken. `none`: cannot resume. */
  readonly conversation: 'chosen' | 'found' | 'none';
  /** The newest conversation that was written to since a time. */
  findConversation?(configDir: string, since: Date): string | null;
  /** Which source has the last word on working or idle: hook events, or the screen. */
  readonly authority: 'hooks' | 'screen';
  /** The first rule that matches decides. */
  readonly screens: readonly ScreenRule[];
  /** A line of the screen that shows that a kickoff was taken, even if the turn is over already. */
  readonly takenLine?: RegExp;
  /** What one hook file says; null: nothing about its state. */
  readHook?(text: string): 'working' | 'idle' | 'permission' | null;
  /** Whether its configuration answers the question if it trusts a directory. True as well: there is none yet, so it will be written. */
  trusts?(configDir: string, cwd: string): boolean;
  /** How the program is signed in. Null: it needs no sign-in. */
  readonly signIn: PaneSignIn | null;
}

export interface PaneSignIn {
  /** The program's own dialog, for `seatrial login`. */
  readonly command: readonly string[];
  /** Where it keeps the sign-in, below the agent's `configDir`. */
  readonly file: string;
  /** Where it keeps the user's own, below the home directory. No agent with a role may see it. */
  readonly usual: string;
}
