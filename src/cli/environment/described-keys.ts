import type * as z from 'zod/mini';

/** What every key means, by its path; `<name>` stands for a name of the user's. The JSON Schemas and docs/configuration.md have it from here. */
type DescribedKeys = Readonly<Record<string, string>>;

export const SETTINGS_KEYS: DescribedKeys = {
  runs: 'directory of the bundles (default: `.seatrial/runs`)',
  admissions: 'directory of the admission records (default: `.seatrial/admissions`)',
  protected_roots:
    'directories that no run may change; their digests are compared under `--audit` or without confinement',
  target_paths: 'paths of this machine that no engine may reach; a run in which one is visible is blocked',
  confine: 'what sandboxes show',
  'confine.read_only': 'further directories that every sandbox shows, read-only',
  'confine.provision_env': 'variables that the setup command, and nothing else, is given; masked: provision.md',
  'confine.provision_files':
    'files of your home that the setup command, and nothing else, is given, as `~/<path>` or by name (`.npmrc`, `.yarnrc.yml`, `pip.conf`, `uv.toml`, `.netrc`, `.pypirc`); masked: provision.md',
  engines: 'one table an engine',
  'engines.<name>.enabled': 'false: the engine may not run (default: true)',
  'engines.<name>.require_stage':
    'true: it runs only at a stage that it has earned, named by `SEATRIAL_STAGE`: stages.md (default: false)',
  'engines.<name>.model': 'model that it asks unless `--model` names one, as `<provider>/<model>`',
  'engines.<name>.instructions':
    'what it is told after every instruction; kept in the contract and shown in the report',
  'engines.<name>.repo_settings':
    'settings of a repository that it may see, by path, each with its SHA-256 from the report: engines.md',
  acp: 'agents that speak the Agent Client Protocol, one table a profile: acp.md',
  'acp.<name>.program': 'name of the program on PATH; required',
  'acp.<name>.install': 'command that `doctor` suggests where it is absent',
  'acp.<name>.args': 'arguments with which it speaks the protocol; placeholders are filled in',
  'acp.<name>.identify': 'arguments with which it prints its version (default: `--version`)',
  'acp.<name>.wires': 'protocols in which it asks its model, the preferred one first; required',
  'acp.<name>.provider': 'provider of a model that is named without one',
  'acp.<name>.aliases': "short names of that provider's models",
  'acp.<name>.env': 'variables that it gets; placeholders are filled in',
  'acp.<name>.files': 'its settings, by path below `{home}`: text, or a table that becomes JSON',
  'acp.<name>.modes': 'modes that it is put into; leave it out for an agent without modes',
  'acp.<name>.modes.asks': 'mode in which it asks before it acts, for runs with an approval policy',
  'acp.<name>.modes.free': 'mode in which it does not ask',
  'acp.<name>.hides': 'settings of a repository that it would obey, shown to it empty',
  'acp.<name>.mcp_servers_in': 'files of those that configure MCP servers, and the key below which the servers are',
  models: 'budgets of a run, one table a model; `"*"` is for all others',
  'models.<name>.max_requests': 'fail a run after this many requests',
  'models.<name>.max_tokens': 'fail a run before it uses more tokens (input + output)',
  'models.<name>.max_cost_usd': 'fail a run before it costs more; requires admitted prices',
  approvals: 'what is decided beforehand; every key but `policy` is an action of a task, `"grant"` or `"deny"`',
  'approvals.policy': 'file with rules that allow, deny or ask: approvals.md',
};

export const TASK_KEYS: DescribedKeys = {
  version: 'version of the format, `"1.0"`',
  metadata: 'for other tools; ignored',
  environment: 'for other tools; ignored',
  agent: 'the engine',
  'agent.timeout_sec': 'time limit of the engine in seconds (default: 600)',
  verifier: 'the tests',
  'verifier.timeout_sec': 'time limit of the tests in seconds (default: 300)',
  seatrial: 'how the result is made and judged',
  'seatrial.test_command': 'command that runs the tests; the runner in it is called directly: runners.md',
  'seatrial.setup_command':
    'command that runs once before engine and judge, confined but with network (default: by lockfile; `""`: none): provision.md',
  'seatrial.allowed_files': 'globs of the files that may change (default: all but tests)',
  'seatrial.protected_files': 'globs of files that may not change, whatever is allowed',
  'seatrial.required_events': 'events that a pass needs beside the seven that every pass has',
  'seatrial.expected_tests': 'tests that must be reported passed; `seatrial task check --record` writes them',
  'seatrial.isolation': 'how far tests and code are kept apart (default: `"in_process"`): judge.md',
  'seatrial.risk_class': '`"high"` requires `black_box` (default: `"low"`)',
  'seatrial.mutation': 'the scope of change that is asked for',
  'seatrial.approvals': 'actions that a person or a policy must grant: approvals.md',
  'seatrial.review': 'shell command that reviews the change; exit 0 accepts, 1 rejects: review.md',
  'seatrial.review_engine': 'engine that reviews the change: review.md',
  'seatrial.must_commit': "true: the engine's HEAD must contain exactly its final tree (default: false)",
  'seatrial.env': 'variables for setup, engine, tests and review',
  'seatrial.known_failing': 'tests that fail on the base and have no vote',
  'seatrial.accept': 'accept the exit code of a command that reports no tests: judge-details.md',
};

type KeySchema = z.core.JSONSchema.BaseSchema;

/** A key of a schema: its path, and its type as TOML users know it. */
export interface SchemaKey {
  readonly path: string;
  readonly type: string;
}

/** Every key below a JSON Schema, in its order. A table of tables has `<name>` in the place of the names. */
export function keysIn(schema: KeySchema, above = ''): readonly SchemaKey[] {
  const own = membersOf(schema).flatMap(([name, member]) => [
    { path: above + name, type: typeText(member) },
    ...keysIn(member, `${above}${name}.`),
  ]);
  const { additionalProperties: more } = schema;
  return typeof more === 'object' && more.properties !== undefined ? [...own, ...keysIn(more, `${above}<name>.`)] : own;
}

function membersOf({ properties = {} }: KeySchema): readonly (readonly [string, KeySchema])[] {
  return Object.entries(properties).flatMap(([name, member]) => (typeof member === 'object' ? [[name, member]] : []));
}

function typeText({ type, items, enum: words, properties, additionalProperties: more }: KeySchema): string {
  if (words !== undefined) return words.map((word) => `\`"${String(word)}"\``).join(', ');
  if (type === 'array') return `list of ${isText(items) ? 'strings' : 'names'}`;
  if (type === 'object') return properties === undefined && isText(more) ? 'table of strings' : 'table';
  return String(type);
}

function isText(schema: KeySchema['items'] | KeySchema['additionalProperties']): boolean {
  return typeof schema === 'object' && !Array.isArray(schema) && schema.type === 'string' && schema.enum === undefined;
}

/** The schema with a description at every key that has one. */
export function describeKeys(schema: KeySchema, texts: DescribedKeys, above = ''): KeySchema {
  const properties = membersOf(schema).map(([name, member]) => {
    const path = above + name;
    const text = texts[path];
    return [
      name,
      describeKeys(text === undefined ? member : { description: text, ...member }, texts, `${path}.`),
    ] as const;
  });
  const { additionalProperties: more } = schema;
  return {
    ...schema,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(typeof more === 'object' ? { additionalProperties: describeKeys(more, texts, `${above}<name>.`) } : {}),
  };
}
