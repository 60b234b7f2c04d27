import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { type AcpProfiles, acpProfile } from '../../engines/acp/profile.ts';
import { ACP_PROFILES } from '../../engines/acp/profiles.ts';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { PROVISION_FILE } from './provision-files.ts';
import { repositoryAround } from '../../task/repository-around.ts';
import { readToml } from '../../task/toml/parse-toml.ts';

const paths = z.optional(z.array(z.string()));

const variableName = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'));

const provisionFile = z
  .string()
  .check(
    z.regex(PROVISION_FILE, 'must be ~/<path>, or one of .npmrc, .yarnrc.yml, pip.conf, uv.toml, .netrc, .pypirc'),
  );

/** `[models."<provider>/<model>"]`, or `[models."*"]` for all: the budget of a run. */
const budgets = z.strictObject({
  max_requests: z.optional(z.int().check(z.positive())),
  max_tokens: z.optional(z.int().check(z.positive())),
  max_cost_usd: z.optional(z.number().check(z.positive())),
});

/** `[engines.<name>]`. */
const engine = z.strictObject({
  enabled: z.optional(z.boolean()),
  require_stage: z.optional(z.boolean()),
  model: z.optional(z.string()),
  repo_settings: z.optional(z.record(z.string(), sha256Hex)),
  instructions: z.optional(z.string()),
});

/** `[acp.<name>]`: an agent for `--engine acp:<name>`. */
const ownProfiles = z.record(z.string(), acpProfile).check(({ value, issues }) => {
  for (const name of Object.keys(value)) {
    const message = Object.hasOwn(ACP_PROFILES, name)
      ? 'this profile ships with Seatrial; choose another name'
      : 'its name must be of lower-case letters, digits, dots, dashes and underscores';
    if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || Object.hasOwn(ACP_PROFILES, name))
      issues.push({ code: 'custom', path: [name], message, input: value });
  }
});

/** The format of `seatrial.toml`. */
export const settingsFile = z.strictObject({
  runs: z.optional(z.string()),
  admissions: z.optional(z.string()),
  protected_roots: paths,
  target_paths: paths,
  confine: z.optional(
    z.strictObject({
      read_only: paths,
      provision_env: z.optional(z.array(variableName)),
      provision_files: z.optional(z.array(provisionFile)),
    }),
  ),
  engines: z.optional(z.record(z.string(), engine)),
  models: z.optional(z.record(z.string(), budgets)),
  acp: z.optional(ownProfiles),
  approvals: z.optional(
    z.catchall(
      z.object({
        /** A file with rules; every other key is an action of a task. */
        policy: z.optional(z.string()),
      }),
      z.enum(['grant', 'deny']),
    ),
  ),
});

export interface Settings {
  readonly root: string;
  /** Path of the file; null: there is none. */
  readonly file: string | null;
  readonly runs: string;
  readonly admissions: string;
  readonly protectedRoots: readonly string[];
  readonly targetPaths: readonly string[];
  readonly readOnly: readonly string[];
  /** The caller's variables that only the setup command receives. */
  readonly provisionEnv: readonly string[];
  /** Files of the caller's home that only the setup command receives. */
  readonly provisionFiles: readonly string[];
  readonly disabledEngines: readonly string[];
  /** Engines that run only at a stage that they have earned. */
  readonly requireStage: readonly string[];
  /** Where stages are declared and decided. */
  readonly stages: string;
  /** The model of an engine, unless `--model` names one. */
  readonly engineModels: Readonly<Record<string, string>>;
  /** Agents that speak the Agent Client Protocol, by the name of their profile. */
  readonly acpProfiles: AcpProfiles;
  /** By engine: settings of a repository that it may see, as digests by path. */
  readonly repoSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By engine: what it is told after every instruction. */
  readonly engineInstructions: Readonly<Record<string, string>>;
  /** By `<provider>/<model>`; `*` is for all others. */
  readonly budgets: Readonly<Record<string, z.infer<typeof budgets>>>;
  /** The file with the approval policy; null: none is named. */
  readonly approvalPolicy: string | null;
  /** Actions of tasks that are decided beforehand. */
  readonly approvals: Readonly<Record<string, 'grant' | 'deny'>>;
}

/** Reads the nearest seatrial.toml upwards; without one, returns defaults with the root of the repository, else the current directory, as root. */
export function readSettings(cwd: string): Settings {
  const root = nearestRoot(cwd);
  const file = root === null ? {} : parseSettings(join(root, 'seatrial.toml'));
  const home = root ?? repositoryAround(cwd).root;
  const at = (path: string): string => resolve(home, path);
  const { policy, ...decided } = file.approvals ?? {};
  return {
    root: home,
    file: root === null ? null : join(root, 'seatrial.toml'),
    runs: at(file.runs ?? '.seatrial/runs'),
    admissions: at(file.admissions ?? '.seatrial/admissions'),
    protectedRoots: (file.protected_roots ?? []).map(at),
    targetPaths: (file.target_paths ?? []).map(at),
    readOnly: (file.confine?.read_only ?? []).map(at),
    provisionEnv: file.confine?.provision_env ?? [],
    provisionFiles: file.confine?.provision_files ?? [],
    disabledEngines: Object.entries(file.engines ?? {}).flatMap(([name, { enabled }]) =>
      enabled === false ? [name] : [],
    ),
    requireStage: Object.entries(file.engines ?? {}).flatMap(([name, { require_stage: required }]) =>
      required === true ? [name] : [],
    ),
    stages: at('.seatrial/stages'),
    engineModels: Object.fromEntries(
      Object.entries(file.engines ?? {}).flatMap(([name, { model }]) => (model === undefined ? [] : [[name, model]])),
    ),
    repoSettings: Object.fromEntries(
      Object.entries(file.engines ?? {}).map(([name, { repo_settings: digests = {} }]) => [name, digests]),
    ),
    acpProfiles: file.acp ?? {},
    engineInstructions: Object.fromEntries(
      Object.entries(file.engines ?? {}).flatMap(([name, { instructions = '' }]) =>
        instructions.trim() === '' ? [] : [[name, instructions.trim()]],
      ),
    ),
    budgets: file.models ?? {},
    approvalPolicy: policy === undefined ? null : at(policy),
    approvals: decided,
  };
}

/** The runs directory to read from. One given by --runs must exist: an empty answer would hide a typing mistake. */
export function runsToRead(named: string | undefined, cwd: string): string {
  if (named === undefined) return readSettings(cwd).runs;
  if (!existsSync(named)) throw new SeatrialError('usage', `there is no runs directory ${named}`);
  return named;
}

/** The runs directory to write to. Refuses symbolic links below the project's root. */
export function runsToWrite(named: string | undefined, { root, runs }: Settings): string {
  const dir = resolve(named ?? runs);
  refuseLinks(root, dir);
  return dir;
}

function nearestRoot(cwd: string): string | null {
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'seatrial.toml'))) return dir;
    if (dir === dirname(dir)) return null;
  }
}

function parseSettings(path: string): z.infer<typeof settingsFile> {
  const faults: string[] = [];
  const settings = readToml(path, settingsFile, faults);
  if (settings === null) throw new SeatrialError('usage', `${dirname(path)}: ${faults.join('; ')}`);
  return settings;
}
