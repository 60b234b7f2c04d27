import * as z from 'zod/mini';
import { wire } from '../../evidence/schema/exchange.ts';

const text = z.string().check(z.minLength(1, 'must not be empty'));
const isInside = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.split('/').some((part) => part === '' || part === '..');

/** What stands in braces in arguments, variables and files is replaced before the agent starts. */
export const PLACEHOLDERS = ['origin', 'base_url', 'key', 'model', 'helper', 'home', 'permission', 'ai_sdk'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

const isFilled = (value: string): boolean =>
  [...value.matchAll(/\{([a-z_]+)\}/g)].every(([, name]) => PLACEHOLDERS.some((known) => known === name));
const filled = z
  .string()
  .check(z.refine(isFilled, `the placeholders are ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`));

/**
 * How a program that speaks the Agent Client Protocol is started: `[acp.<name>]` of seatrial.toml, or one of those that ship with
 * Seatrial.
 */
export const acpProfile = z.strictObject({
  /** Its name on PATH. */
  program: text,
  /** The command that installs it. */
  install: z.optional(text),
  /** The arguments with which it speaks the protocol on its standard streams. */
  args: z.optional(
    z.array(filled.check(z.refine((value) => !value.includes('{key}'), 'the key belongs into env or files'))),
  ),
  /** The arguments with which it prints its version. */
  identify: z.optional(z.array(z.string())),
  /** The protocols in which it asks its model, the preferred one first. */
  wires: z.array(wire).check(z.minLength(1, 'name at least one protocol')),
  /** The provider of a model that is named without one. */
  provider: z.optional(text),
  /** Short names of that provider's models. */
  aliases: z.optional(z.record(z.string(), text)),
  env: z.optional(z.record(z.string(), filled)),
  /** Its settings, by path below `{home}`: text, or a table that becomes JSON. */
  files: z.optional(
    z.record(
      z.string().check(z.refine(isInside, 'must be a path below {home}')),
      z.union([z.string(), z.record(z.string(), z.unknown())]),
    ),
  ),
  /** The mode in which it asks before it acts, and the one in which it does not. Left out: it has no modes. */
  modes: z.optional(z.strictObject({ asks: text, free: text })),
  /** Names of files and directories with settings of a repository that it would obey, at any depth; after a slash, at the root. */
  hides: z.optional(z.array(text)),
  /** Files of those that configure MCP servers, and the key below which the servers are. */
  mcp_servers_in: z.optional(z.record(z.string(), text)),
});

export type AcpProfile = z.infer<typeof acpProfile>;
/** By name, as in `--engine acp:<name>`. */
export type AcpProfiles = Readonly<Record<string, AcpProfile>>;
