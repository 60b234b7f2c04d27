/** What an agent can ask permission for. `other`: it does not say, or names something else. */
export const TOOL_ACTIONS = [
  'read',
  'search',
  'edit',
  'delete',
  'move',
  'run',
  'fetch',
  'think',
  'mode',
  'other',
] as const;
export type ToolAction = (typeof TOOL_ACTIONS)[number];

/** A tool call that an agent asks permission for, in the agent's own words: none of it is proof. */
export interface PermissionRequest {
  readonly action: ToolAction;
  /** Relative to the workspace; absolute outside of it. Empty: the agent names no file. */
  readonly paths: readonly string[];
  /** The shell command that it wants to run. Null: it names none. */
  readonly command: string | null;
  readonly title: string;
}
