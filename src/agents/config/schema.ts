import * as z from 'zod/mini';

/** Part of tmux session names and file names. */
const plainName = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/, 'may only contain letters, digits, - and _'));
const text = z.string().check(z.minLength(1, 'must not be empty'));
const variable = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'));
const duration = z.string().check(z.regex(/^[1-9]\d{0,5}(s|m|h)$/, 'must be a duration such as "90s", "10m" or "2h"'));

export const AGENT_KINDS = ['persistent', 'loop', 'task', 'service'] as const;
const WATCHES = ['none', 'heal', 'heal+stall'] as const;
const RESUME_POLICIES = ['auto', 'ask', 'off'] as const;

const defaults = z.strictObject({
  backend: z.optional(text),
  model: z.optional(text),
  watch: z.optional(z.enum(WATCHES)),
  stall_after: z.optional(duration),
  resume: z.optional(z.enum(RESUME_POLICIES)),
  max_resumes: z.optional(z.int().check(z.nonnegative())),
});

const proof = z.strictObject({
  test: text,
  setup: z.optional(z.string()),
  timeout: z.optional(z.int().check(z.positive())),
  sealed: z.optional(text),
  must_fix: z.optional(z.array(text)),
  require: z.optional(z.enum(['kept', 'fixed'])),
  land: z.optional(text),
});

const phase = z.strictObject({
  id: plainName,
  plan: text,
  models: z.optional(z.union([text, z.record(z.string(), text)])),
  proof: z.optional(proof),
});

const agent = z.strictObject({
  ...defaults.shape,
  kind: z.enum(AGENT_KINDS),
  role: z.optional(plainName),
  session: z.optional(plainName),
  enabled: z.optional(z.boolean()),
  dir: z.optional(text),
  env: z.optional(z.array(variable)),
  prompt: z.optional(text),
  schedule: z.optional(duration),
  command: z.optional(text),
  args: z.optional(z.array(z.string())),
});

/** The format of `agents.toml`. */
export const agentsFile = z.strictObject({
  session_prefix: plainName,
  log_dir: z.optional(text),
  repo: z.optional(text),
  kickoff: z.optional(text),
  roles_dir: z.optional(text),
  tmux_socket: z.optional(text),
  notify: z.optional(text),
  max_rounds: z.optional(z.int().check(z.positive())),
  defaults: z.optional(defaults),
  models: z.optional(z.record(z.string(), text)),
  phases: z.optional(z.array(phase)),
  agents: z.record(z.string(), agent),
});

export type AgentsFile = z.infer<typeof agentsFile>;
export type PhaseEntry = z.infer<typeof phase>;
export type AgentEntry = z.infer<typeof agent>;
