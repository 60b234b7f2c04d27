import type { ToolCall } from '../../gateway/scripted/schema.ts';
import type { AgentRehearsal } from '../agent/rehearsal.fixture.ts';

/** How a real program in a pane is led to the scripted model, made to ask for permission, and told of a usage limit. */
export interface PaneRehearsal {
  readonly agent: Pick<AgentRehearsal, 'name' | 'pinned'>;
  /** `model` of agents.toml. */
  readonly model: string;
  /** Of the endpoint, without a path. */
  readonly env: (origin: string) => Readonly<Record<string, string>>;
  /** `args` of agents.toml. */
  readonly args?: (origin: string) => readonly string[];
  /** What a person's sign-in and settings would have left, by path below the agent's configuration directory. */
  readonly files?: (origin: string) => Readonly<Record<string, string>>;
  /** Something that the program does not do without asking. Null: it has no permission dialog. */
  readonly asked: ToolCall | null;
  /** The provider's answer when a usage limit is reached. `until`: the screen then says when it ends. */
  readonly limit: LimitAnswer;
}

export interface LimitAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  readonly until?: true;
}

/** A key that opens nothing. */
export const REHEARSED_KEY = 'canary-key-of-the-panes';

/** As providers of the chat wire refuse a request whose account has nothing left. */
export const CHAT_QUOTA: LimitAnswer = {
  status: 429,
  body: {
    error: {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  },
};

/** When a rehearsed limit ends: seconds since 1970. */
export const limitEnds = (): number => Math.floor(Date.now() / 1000) + 3 * 3600;
