import type { AgentEntry, PhaseEntry } from './schema.ts';

export type AgentKind = AgentEntry['kind'];
export type Watch = NonNullable<AgentEntry['watch']>;
export type ResumePolicy = NonNullable<AgentEntry['resume']>;

/** A phase of the plan, as agents.toml has it. */
export interface Phase {
  readonly id: string;
  /** As written: it is printed so. */
  readonly plan: string;
  /** By role, or one for all loops. */
  readonly models: PhaseEntry['models'];
  /** Null: the phase ends when the adversary agrees. */
  readonly proof: NonNullable<PhaseEntry['proof']> | null;
}

/** An agent with every default filled in. */
export interface Agent {
  readonly name: string;
  readonly kind: AgentKind;
  /** Null: it takes no part in the protocol. */
  readonly role: string | null;
  /** The whole name of its session. */
  readonly session: string;
  /** Null: a service, which is a plain command. */
  readonly backend: string | null;
  /** `model` of its own table, before aliases. */
  readonly ownModel: string | null;
  /** Services are watched by their kind alone. */
  readonly watch: Watch;
  readonly enabled: boolean;
  /** Working directory, absolute. Null: its clone if it has a role, else the project. */
  readonly dir: string | null;
  /** Names of variables whose values its pane receives. */
  readonly env: readonly string[];
  /** Text that a persistent agent or a task starts with. */
  readonly prompt: string | null;
  /** Of a task: how often it runs. Null: only when asked. */
  readonly scheduleMs: number | null;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly stallAfterMs: number;
  readonly resume: ResumePolicy;
  readonly maxResumes: number;
}

/** A project directory as its agents.toml describes it. All paths are absolute. */
export interface Project {
  readonly dir: string;
  /** SHA-256 of the real path of `dir`: what its sessions carry. */
  readonly id: string;
  readonly file: string;
  /** Of the text that this was read from. */
  readonly fileSha256: string;
  readonly prefix: string;
  readonly logDir: string;
  /** A path, or a URL. */
  readonly repo: string;
  /** Null: the built-in kickoff serves. */
  readonly kickoffFile: string | null;
  readonly rolesDir: string | null;
  /** Name or path of the tmux socket; null: the user's own server. */
  readonly tmuxSocket: string | null;
  readonly notify: string | null;
  readonly maxRounds: number;
  readonly defaultModel: string | null;
  /** Short names of models. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly phases: readonly Phase[];
  /** In the order of the file. */
  readonly agents: readonly Agent[];
}

export const DEFAULT_LOG_DIR = '.ao-state';

/** The reserved name of the watchdog, in tables and session names. */
export const WATCHDOG = 'watchdog';

export const ADVERSARY_ROLE = 'adversary';
export const BUILDER_ROLE = 'builder';

export const watchdogSession = ({ prefix }: Pick<Project, 'prefix'>): string => `${prefix}${WATCHDOG}`;

export function agentNamed(project: Project, name: string): Agent | null {
  return project.agents.find((agent) => agent.name === name) ?? null;
}

/** Who plays a role, if an enabled agent does. */
export function playerOf(project: Project, role: string): Agent | null {
  return project.agents.find((agent) => agent.role === role && agent.enabled) ?? null;
}
