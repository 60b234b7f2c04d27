import type { ScreenReading } from '../../engines/pane/screen.ts';
import type { Agent, Phase } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import type { AgentHistory } from '../journal/agent-history.ts';
import type { PhaseHistory } from '../journal/phase-history.ts';

/** What one look at one agent found. Everything that decides is in here. */
export interface AgentFacts {
  readonly agent: Agent;
  readonly history: AgentHistory;
  /** `foreign`: a session of this name that another project, or no project, started. */
  readonly session: SessionFacts | null | 'foreign';
  /** The open phase; null: all are done, or there are none. */
  readonly phase: Phase | null;
  readonly phaseHistory: PhaseHistory | null;
  readonly paused: boolean;
  /** Null: it was not looked at, or its program's screens are not known. */
  readonly screen: ScreenReading | null;
  /** How the program takes its kickoff; null: it has none. */
  readonly kickoff: 'argument' | 'paste' | null;
  /** The screen shows, or showed in this start, that the kickoff was taken. */
  readonly kickoffSeen: boolean;
  /** The conversation that the program began by itself; null: none was found, or it is known. */
  readonly conversation: string | null;
  /** The last time that anything but a clock or a spinner changed: screen, hooks, git. */
  readonly progressAt: Date;
  /** Processes below the program that use the processor, such as a build. */
  readonly busyChildren: readonly string[];
  /** Until when the agent says that it waits. */
  readonly waitsUntil: Date | null;
}

/** Exactly one thing to do to an agent, with the facts that led to it. */
export type AgentAction =
  | { readonly do: 'record-death'; readonly outcome: 'died' | 'done'; readonly evidence: readonly string[] }
  | { readonly do: 'start'; readonly why: string; readonly resume: boolean }
  | { readonly do: 'plan-restart'; readonly at: Date; readonly attempt: number }
  | { readonly do: 'give-up'; readonly why: string }
  | { readonly do: 'stop'; readonly why: string }
  /** The session belongs to an earlier start, which another one has replaced in the journal. */
  | { readonly do: 'stop-earlier'; readonly spawn: string; readonly why: string }
  | { readonly do: 'note-kickoff'; readonly taken: boolean; readonly evidence: readonly string[] }
  | { readonly do: 'note-conversation'; readonly conversation: string }
  | { readonly do: 'paste-kickoff' }
  | { readonly do: 'note-needs'; readonly what: string; readonly evidence: readonly string[] }
  | { readonly do: 'note-limit'; readonly until: Date | null; readonly evidence: readonly string[] }
  | { readonly do: 'note-recovered'; readonly evidence: readonly string[] }
  | { readonly do: 'nudge'; readonly evidence: readonly string[] }
  | { readonly do: 'restart-stalled'; readonly evidence: readonly string[] };
