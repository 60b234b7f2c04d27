import { dirname, join } from 'node:path';
import { type Caller, gatherFacts } from '../../admission/gather.ts';
import { readAdmissions } from '../../admission/records/read.ts';
import { temporaryDirs } from '../../admission/temporary-dirs.ts';
import { withVirtualEnvironment } from '../../confine/tools/virtual-environment.ts';
import { steeringVariables } from '../../confine/tools/tool-environment.ts';
import {
  type Environment,
  keyPaths,
  loadOrCreateKey,
  readPublicKey,
  type SigningKey,
} from '../../evidence/bundle/keys.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { allValues, type KnownSecret, secretsOfKey } from '../../evidence/secrets/variables.ts';
import type { Budgets } from '../../gateway/types.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { RunEnvironment } from '../../run/request.ts';
import { earnedStage, isBridgeProven } from '../../stages/earned.ts';
import { repositoryStanding } from '../../stages/routes/owned.ts';
import type { StagesPlace } from '../../stages/standing.ts';
import { reportFieldsOf } from '../../engines/list.ts';
import { whoseSeals } from './whose-seals.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { type ApprovalPolicy, namedRules, NO_POLICY } from '../../run/approvals/policy.ts';
import { readPolicy } from '../../run/approvals/policy-file.ts';
import { askOnTerminal } from '../terminal/ask-person.ts';
import { callerSecrets } from './caller-secrets.ts';
import { modelsOf, secretsOfModels } from './models.ts';
import { readProvisionFiles, secretsInFiles } from './provision-files.ts';
import { runsToWrite, type Settings } from './settings.ts';
import { userDir } from '../../kernel/user-dirs.ts';

export interface EnvironmentFlags {
  readonly confine: 'bubblewrap' | 'none';
  readonly workspace?: RunEnvironment['workspace'];
  readonly runsDir?: string;
  /** The runs directory around `runsDir` whose evidence says what an engine has earned. Absent: `runsDir` itself. */
  readonly earnedIn?: string;
  /** Budgets of these runs; they override the settings. */
  readonly budgets?: Budgets;
  readonly model?: RequestedModel;
  /** A file with an approval policy, instead of the one in the settings. */
  readonly approvals?: string;
  /** Variables that configure engine and model, instead of the caller's environment. */
  readonly env?: Environment;
}

/** `--model`, for the engine of these runs. */
interface RequestedModel {
  readonly engine: string;
  readonly name: string;
}

/** The environment of this command's runs. The only place that reads settings, flags and the caller's environment for it. */
export function createRunEnvironment(settings: Settings, flags: EnvironmentFlags): RunEnvironment {
  const runsDir = runsToWrite(flags.runsDir, settings);
  const key = loadOrCreateKey(process.env);
  const earnedIn = flags.earnedIn ?? runsDir;
  const keyDir = dirname(keyPaths(process.env).privateKey);
  const caller = callerOf({ ...settings, runs: earnedIn }, flags.env ?? process.env, flags.model, () => key);
  const files = provisionFilesOf(settings);
  const known = [...callerSecrets(), ...secretsOfModels(caller), ...secretsInFiles(files), ...secretsOfKey(key)];
  const around = surroundings({ ...settings, runs: earnedIn }, keyDir);
  const secrets = new SecretPatterns(known);
  return {
    ...around,
    secrets,
    provision: provisionSettings(settings, files, known, secrets),
    runsDir,
    key,
    clock: systemClock,
    confine: flags.confine,
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
    targetPaths: settings.targetPaths,
    protectedRoots: settings.protectedRoots,
    harnessRoots: {
      around: [packageRoot()],
      compared: ['dist', 'tasks'].map((name) => join(packageRoot(), name)),
    },
    models: modelsOf(settings, caller.env, flags.budgets ?? {}),
    admission: (requested, run) => gatherFacts(requested, caller, run),
    approvals: approvalPolicyOf(settings, flags.approvals),
    ask: askOnTerminal(),
  };
}

/** What seatrial.toml decides by name comes before the rules of the file. */
export function approvalPolicyOf({ approvals, approvalPolicy }: Settings, named: string | undefined): ApprovalPolicy {
  const path = named ?? approvalPolicy;
  const policy = path === null ? NO_POLICY : readPolicy(path);
  return { ...policy, rules: [...namedRules(approvals), ...policy.rules] };
}

/** The same for work on a repository; `tree` is the copy of it. */
export function forRepository(environment: RunEnvironment, repo: string, tree: string): RunEnvironment {
  return { ...environment, tools: withVirtualEnvironment(environment.tools, repo, tree) };
}

/** The part of a run environment that judging needs: no key, no bundle. */
export function createJudgeEnvironment(
  settings: Settings,
): Surroundings & Pick<RunEnvironment, 'secrets' | 'provision'> {
  const files = provisionFilesOf(settings);
  const known = [...callerSecrets(), ...secretsInFiles(files)];
  const secrets = new SecretPatterns(known);
  const keyDir = dirname(keyPaths(process.env).privateKey);
  return { ...surroundings(settings, keyDir), secrets, provision: provisionSettings(settings, files, known, secrets) };
}

/** The caller's variables, and the admissions so far. */
export function callerOf(
  settings: Settings,
  env: Environment = process.env,
  model?: RequestedModel,
  key: () => SigningKey | null = () => readPublicKey(process.env),
): Caller {
  return {
    env,
    cwd: process.cwd(),
    admissions: readAdmissions(settings.admissions),
    disabled: settings.disabledEngines,
    profiles: settings.acpProfiles,
    temporary: temporaryDirs(process.env),
    isBridgeProven: (provider, sha256) => isBridgeProven(settings.runs, provider, sha256, key()),
    modelFor: (engine) => (model?.engine === engine ? model.name : (settings.engineModels[engine] ?? null)),
    cacheDir: cacheDir(process.env),
    earnedStage: (stage, subject) => earnedStage(stagesPlaceOf(settings), stage, subject, key()),
    requireStage: settings.requireStage,
    repositoryStanding: (path) => repositoryStanding(path, settings.stages, process.env),
  };
}

/** Where the stages of this project are kept, and whose seals count. */
export function stagesPlaceOf({ stages, runs }: Pick<Settings, 'stages' | 'runs'>): StagesPlace {
  return {
    stagesDir: stages,
    runsDir: runs,
    env: process.env,
    verify: { ...whoseSeals(undefined), now: new Date(), engineFields: reportFieldsOf },
  };
}

/** What setups are given, and what of it is masked beside the secrets that are known anyway. */
function provisionSettings(
  { provisionEnv }: Settings,
  files: RunEnvironment['provision']['files'],
  known: readonly KnownSecret[],
  secrets: SecretPatterns,
): RunEnvironment['provision'] {
  const given = provisionEnv.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const cache = cacheDir(process.env);
  return {
    cacheDir: cache === null ? null : join(cache, 'provision'),
    env: Object.fromEntries(given),
    files,
    secrets: given.length === 0 ? secrets : new SecretPatterns([...known, ...allValues(given)]),
  };
}

function provisionFilesOf({ provisionFiles }: Settings): RunEnvironment['provision']['files'] {
  return readProvisionFiles(provisionFiles, process.env['HOME'] ?? null);
}

type Surroundings = Pick<RunEnvironment, 'confine' | 'covered' | 'readOnly' | 'tools'>;

function surroundings(settings: Settings, keyDir: string): Surroundings {
  const { env } = process;
  return {
    confine: 'bubblewrap',
    readOnly: settings.readOnly,
    covered: [
      packageRoot(),
      settings.runs,
      settings.admissions,
      settings.stages,
      ...settings.targetPaths,
      keyDir,
      join(userDir('config', env) ?? '/.config', 'seatrial'),
    ],
    tools: callerTools(),
  };
}

/** Where the caller's programs are looked for. */
export function callerTools(): RunEnvironment['tools'] {
  const { env } = process;
  return { path: env['PATH'] ?? '', cacheDir: cacheDir(env), env: steeringVariables(env) };
}

function cacheDir(env: NodeJS.ProcessEnv): string | null {
  const base = userDir('cache', env);
  return base === null ? null : join(base, 'seatrial');
}
