import * as z from 'zod/mini';
import { wire } from './exchange.ts';
import { count, isoTime, sha256Hex } from './parts.ts';
import { type SignInName, signInName } from './sign-in.ts';

const line = z.string().check(z.regex(/^\S(.*\S)?$/, 'must be a single line of text'));
const commitId = z.string().check(z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full commit id'));
export const engineName = z.string().check(z.regex(/^[a-z][a-z0-9-]*(:[a-z0-9-]+)?$/, 'must be the name of an engine'));
const shortName = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be a short name in lower case'));
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-05-31'));

/** Cannot contain a password or token: no user except `git`, no query. */
const sourceUrl = z
  .string()
  .check(
    z.regex(
      /^((https?|file):\/\/[^\s@?#]+|(ssh:\/\/)?git@[^\s@?#]+)$/,
      'must be a URL without user, password or query',
    ),
  );

/** Model records contain variable names, never values: no field may look like a URL. */
const noAddress = z
  .string()
  .check(z.regex(/^(?!.*:\/\/)\S(.*\S)?$/, 'must be a single line without a URL; name the variable that holds it'));
const modelName = z
  .string()
  .check(z.regex(/^(?!.*:\/\/)[A-Za-z0-9][A-Za-z0-9._:/+-]*$/, 'must be the name of a model, without spaces'));
const variableName = z
  .string()
  .check(
    z.regex(/^[A-Z_][A-Z0-9_]{0,63}$/, 'must be the name of an environment variable in upper case, never its value'),
  );

const decided = { admitted_at: isoTime, approver: line };

const requiredTool = z.strictObject({ name: shortName, present: z.boolean(), version: z.nullable(line) });

/** The origin of an engine's program. For the record only: nothing here is fetched, built or executed. */
const source = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('source'),
  engine: engineName,
  id: shortName,
  url: sourceUrl,
  /** The pin: a commit, a tag, or both. */
  commit: z.nullable(commitId),
  tag: z.nullable(line),
  /** Other known commits, each with its purpose. */
  other_ids: z.array(z.strictObject({ id: line, note: line })),
  /** Pins that later updates replaced. */
  previous_ids: z.array(z.strictObject({ commit: z.nullable(commitId), tag: z.nullable(line), replaced_at: isoTime })),
  license_note: line,
  retrieved_at: day,
  retrieval_command: line,
  integrity: z.union([z.strictObject({ sha256: sha256Hex }), z.strictObject({ source_lock: line })]),
  allowed_execution_mode: line,
  protected_source_boundary: line,
  build_command: z.nullable(line),
  build_output: z.nullable(line),
  required_tools: z.array(requiredTool),
  /** Recorded as discovery evidence; admits nothing. */
  discovery_only: z.boolean(),
  discovery_note: z.nullable(line),
  ...decided,
});
export type SourceRecord = z.infer<typeof source>;

/** One program, identified by its digest; the path is informational. */
const executable = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('executable'),
  engine: engineName,
  sha256: sha256Hex,
  size: count,
  path: z.string(),
  /** The `id` of the source it was built from. */
  source: z.nullable(shortName),
  source_commit: z.nullable(commitId),
  /** The program's own description of itself. */
  identity: z.string().check(z.maxLength(2000)),
  ...decided,
});
export type ExecutableRecord = z.infer<typeof executable>;

/**
 * One model of one provider for one engine. `runtime` holds the names the engine uses for it and admits nothing by
 * itself.
 */
const model = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('model'),
  engine: engineName,
  provider: shortName,
  model: modelName,
  runtime: z.strictObject({ provider: shortName, model: modelName }),
  wire,
  endpoint_variable: z.nullable(variableName),
  /** Null: no key is needed, or `login` is used. */
  key_variable: z.nullable(variableName),
  /** The program whose own sign-in the gateway uses. A person admits it after reading what the provider's terms say. */
  login: z.optional(signInName),
  /** A bridge that carries credentials which the engine cannot. For people: only a passing check report is evidence for it. */
  auth_bridge: z.nullable(z.strictObject({ name: noAddress, evidence: noAddress })),
  /**
   * Names under which the endpoint serves it, if it has others; the first is the one it is asked by. An answer that names another
   * model fails the run.
   */
  served_as: z.optional(z.array(noAddress)),
  /** Further models of the provider, which the engine asks for titles and summaries. */
  helpers: z.optional(z.array(modelName)),
  /** Output tokens that the engine may ask for at once. */
  max_output_tokens: z.optional(z.nullable(z.int().check(z.positive()))),
  /** US dollars per million tokens. */
  prices: z.nullable(
    z.strictObject({
      input_per_mtok: z.number().check(z.nonnegative()),
      output_per_mtok: z.number().check(z.nonnegative()),
    }),
  ),
  admitted_at: isoTime,
  approver: noAddress,
});
export type ModelRecord = z.infer<typeof model>;

/** One task directory whose content a person has looked at and calls artificial. What task.toml says of itself admits nothing. */
const task = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('task'),
  engine: engineName,
  task: line,
  /** Of its contract: instruction, terms, files and sealed tests. */
  sha256: sha256Hex,
  path: z.string(),
  mutation: line,
  ...decided,
});
export type TaskRecord = z.infer<typeof task>;

export const admissionKind = z.enum(['source', 'executable', 'model', 'task']);
export type AdmissionKind = z.infer<typeof admissionKind>;

/** A file in the admissions directory: a source, executable, model or task that a person approved. */
export const admissionRecord = z.discriminatedUnion('kind', [
  source.check(
    z.refine(({ commit, tag }) => commit !== null || tag !== null, {
      error: 'needs a commit or tag',
      path: ['commit'],
    }),
    z.refine(({ discovery_only: only, discovery_note: note }) => !only || note !== null, {
      error: 'must say why it is discovery evidence only',
      path: ['discovery_note'],
    }),
  ),
  executable,
  model.check(
    z.refine(({ login, key_variable: key }) => login === undefined || key === null, {
      error: 'must name a key variable or a login, not both',
      path: ['login'],
    }),
  ),
  task,
]);
export type AdmissionRecord = z.infer<typeof admissionRecord>;

/** How the gateway authenticates requests for a model. */
export type ModelCredential =
  | { readonly kind: 'key'; readonly variable: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'login'; readonly program: SignInName };

export function credentialOf({ key_variable: variable, login }: ModelRecord): ModelCredential {
  if (login !== undefined) return { kind: 'login', program: login };
  return variable === null ? { kind: 'none' } : { kind: 'key', variable };
}
