import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';

/**
 * Git as the harness uses it: only our own configuration, hooks, filters and attributes. A repository that an engine
 * could write to is never used as the git directory of a command here; such queries run inside the sandbox.
 */
const OWN_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.autocrlf=false',
  'core.quotePath=true',
  'diff.external=',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
];

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

function cleanEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: SYSTEM_PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: 'Seatrial',
    GIT_AUTHOR_EMAIL: 'seatrial@localhost',
    GIT_COMMITTER_NAME: 'Seatrial',
    GIT_COMMITTER_EMAIL: 'seatrial@localhost',
    ...extra,
  };
}

export interface GitCall {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly cwd?: string;
  /** Words before git that make directories visible to it, such as an overlay. */
  readonly entering?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** `name=value` settings that override the harness's own. */
  readonly config?: readonly string[];
  /** For untrusted repositories, in which an object file may be a pipe that blocks forever. */
  readonly timeoutMs?: number;
  /** Lets Ctrl-C in the terminal end git too: for long operations whose result need not be kept. */
  readonly endsWithTerminal?: boolean;
}

/** Git failed. The message is one sentence that quotes git's own error, fit to be shown to the user. */
export class GitFault extends SeatrialError {
  /** Null: git was killed. */
  readonly gitExitCode: number | null;
  readonly stdout: Buffer;

  constructor(args: readonly string[], exitCode: number | null, stderr: string, stdout: Buffer) {
    super('blocked', `git ${args[0] ?? ''} failed: ${mainLine(stderr)}`);
    this.name = 'GitFault';
    this.gitExitCode = exitCode;
    this.stdout = stdout;
  }
}

/** Prefers a `fatal:` line to the last line, which may be advice. */
function mainLine(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast((line) => line.startsWith('fatal: ')) ?? lines.at(-1) ?? '';
}

/** Runs git and returns its standard output; throws `GitFault` on a non-zero exit. */
export function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const env = cleanEnvironment({
    ...(call.gitDir === undefined ? {} : { GIT_DIR: call.gitDir }),
    ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
    ...call.env,
  });
  // In the terminal's process group, Ctrl-C would kill git while it saves the work of an interrupted run.
  const ownGroup = call.endsWithTerminal !== true;
  const { input, cwd, timeoutMs, entering } = call;
  return callGit([...OWN_CONFIG, ...(call.config ?? [])], args, { env, input, cwd, timeoutMs, ownGroup, entering });
}

/** Variables with the caller's identity and configuration paths, but not those that select a repository. */
const CALLER_VARIABLES = /^(HOME|XDG_CONFIG_HOME|EMAIL|SUDO_UID|GIT_(AUTHOR|COMMITTER|CONFIG)_\w+)$/;

/** Disables settings that could start a program while refs are read or moved. Callers must disable hooks defined in the configuration. */
const INERT_CONFIG = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];

export interface CallInPlace {
  /** Directory from which git discovers the repository; git refuses one that another user owns. */
  readonly cwd: string;
  /** The git directory, if known. */
  readonly gitDir?: string;
  /** The caller's environment. */
  readonly caller: Readonly<Record<string, string | undefined>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs git in the caller's repository, with its configuration. Only for commands that read settings or read and move refs: these start no
 * program with hooks disabled, and fetch no object. Read file contents with `git`, which ignores the repository's configuration.
 */
export function gitInPlace(args: readonly string[], { cwd, gitDir, caller, env }: CallInPlace): Promise<Buffer> {
  const kept = Object.entries(caller).flatMap(([name, value]) =>
    value !== undefined && CALLER_VARIABLES.test(name) ? [[name, value] as const] : [],
  );
  const surroundings = {
    PATH: SYSTEM_PATH,
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    // For git before 2.45, which does not know the variable above: without a transport it cannot fetch.
    GIT_ALLOW_PROTOCOL: 'none',
    ...Object.fromEntries(kept),
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    ...env,
  };
  return callGit(INERT_CONFIG, args, { env: surroundings, cwd });
}

/**
 * Runs git against a remote, with the caller's whole environment: transports need their agents, proxies and credential helpers. Only for
 * a push that the caller asked for.
 */
export function gitOverNetwork(args: readonly string[], { cwd, gitDir, caller, env }: CallInPlace): Promise<Buffer> {
  const surroundings = { ...caller, LC_ALL: 'C.UTF-8', ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }), ...env };
  return callGit(INERT_CONFIG, args, { env: surroundings, cwd });
}

/** Variables with the paths of git's configuration; the rest of the caller's environment is not passed on. */
const CONFIG_VARIABLES = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
const CONFIG_TIMEOUT_MS = 60_000;

/** The configuration of a repository, including the user's, as `git config --list -z --show-origin` prints it. None of it takes effect. */
export function listConfiguration(gitDir: string): Promise<Buffer> {
  const env: NodeJS.ProcessEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', GIT_DIR: gitDir };
  for (const name of CONFIG_VARIABLES) if (process.env[name] !== undefined) env[name] = process.env[name];
  return callGit([], ['config', '--list', '-z', '--show-origin'], { env, cwd: gitDir, timeoutMs: CONFIG_TIMEOUT_MS });
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly input?: string | Uint8Array | undefined;
  readonly timeoutMs?: number | undefined;
  readonly ownGroup?: boolean;
  readonly entering?: readonly string[] | undefined;
}

function callGit(
  config: readonly string[],
  args: readonly string[],
  { env, cwd, input, timeoutMs = 0, ownGroup = false, entering = [] }: Surroundings,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A directory that becomes visible only then can only be changed to then.
    const later = entering.length > 0 && cwd !== undefined ? ['-C', cwd] : [];
    const words = [...entering, 'git', ...later, ...config.flatMap((pair) => ['-c', pair]), ...args];
    const child = spawn(words[0] ?? 'git', words.slice(1), {
      env,
      detached: ownGroup,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(cwd === undefined || entering.length > 0 ? {} : { cwd }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT_BYTES) stdout.push(chunk);
      else child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (error) =>
      reject(systemCode(error) === 'ENOENT' ? new Refused(reason('git_not_installed')) : error),
    );
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0) return resolve(Buffer.concat(stdout));
      const said = Buffer.concat(stderr).toString('utf8');
      const why = child.killed
        ? howItWasEnded(bytes, timeoutMs)
        : signal === null
          ? said
          : `it was killed by ${signal}`;
      reject(new GitFault(args, exitCode, why, Buffer.concat(stdout)));
    });
    // If git exits early, writing to its stdin fails; the reason is on stderr.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const MAX_OUTPUT_BYTES = 2 ** 31 - 1;

const howItWasEnded = (bytes: number, timeoutMs: number): string =>
  bytes > MAX_OUTPUT_BYTES ? 'its output is too large' : `it did not end within ${timeoutMs / 1000} s`;

/** Creates a git directory without `git init`: no template, no hooks, no inherited configuration. */
export function makeGitDir(dir: string, alternates: readonly string[] = []): void {
  mkdirSync(join(dir, 'objects', ...(alternates.length > 0 ? ['info'] : [])), { recursive: true });
  mkdirSync(join(dir, 'refs'));
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n');
  if (alternates.length > 0) writeFileSync(join(dir, 'objects', 'info', 'alternates'), `${alternates.join('\n')}\n`);
}
