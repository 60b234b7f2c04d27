import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';

/**
 * Git as the harness uses it: no configuration, hooks, filters or attributes but ours. A repository that somebody else
 * has written to is never the git directory of a command that runs here; it is asked inside the confinement.
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
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** `name=value` settings that win over the harness's own. */
  readonly config?: readonly string[];
  /** For repositories of others, in which a pipe may stand for an object. */
  readonly timeoutMs?: number;
  /** Ends with the command when the terminal's Ctrl-C does: for what takes long and leaves nothing to keep. */
  readonly endsWithTerminal?: boolean;
}

/** Git ended with an error. Its message is one sentence with git's own words, so it can be shown as it is. */
export class GitFault extends SeatrialError {
  /** Null: it was killed. */
  readonly gitExitCode: number | null;
  readonly stdout: Buffer;

  constructor(args: readonly string[], exitCode: number | null, stderr: string, stdout: Buffer) {
    super('blocked', `git ${args[0] ?? ''} failed: ${mainLine(stderr)}`);
    this.name = 'GitFault';
    this.gitExitCode = exitCode;
    this.stdout = stdout;
  }
}

/** Advice may follow what went wrong, so a line that git calls fatal is preferred to the last one. */
function mainLine(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast((line) => line.startsWith('fatal: ')) ?? lines.at(-1) ?? '';
}

/** Runs git and gives its standard output; a non-zero exit is a `GitFault`. */
export function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const env = cleanEnvironment({
    ...(call.gitDir === undefined ? {} : { GIT_DIR: call.gitDir }),
    ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
    ...call.env,
  });
  // In the terminal's group, Ctrl-C would end it in the middle of keeping an interrupted run's work.
  const ownGroup = call.endsWithTerminal !== true;
  const { input, cwd, timeoutMs } = call;
  return callGit([...OWN_CONFIG, ...(call.config ?? [])], args, { env, input, cwd, timeoutMs, ownGroup });
}

/** What of a caller's environment tells git who he is and where his configuration lies. Not which repository to work on. */
const CALLER_VARIABLES = /^(HOME|XDG_CONFIG_HOME|EMAIL|SUDO_UID|GIT_(AUTHOR|COMMITTER|CONFIG)_\w+)$/;

/** Settings of a repository that could start a program while refs are read or moved. Hooks in configuration are the caller's to disable. */
const INERT_CONFIG = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];

export interface CallInPlace {
  /** Where to look for the repository; git refuses one that another user owns. */
  readonly cwd: string;
  /** The git directory, once it is known. */
  readonly gitDir?: string;
  /** The caller's environment. */
  readonly caller: Readonly<Record<string, string | undefined>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Git in a repository of the caller's, with its configuration. Only for commands that read settings or read and move refs: these start no
 * program once hooks are off, and no object is fetched. Contents go through `git`, which reads no configuration of the repository.
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
    // Git before 2.45 does not know the variable above, but has no transport left to fetch by.
    GIT_ALLOW_PROTOCOL: 'none',
    ...Object.fromEntries(kept),
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    ...env,
  };
  return callGit(INERT_CONFIG, args, { env: surroundings, cwd });
}

/** The variables that tell git where configuration lies; nothing else of the caller's environment is passed on. */
const CONFIG_VARIABLES = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
const CONFIG_TIMEOUT_MS = 60_000;

/** The configuration of a repository including the user's own, as `git config --list -z --show-origin` prints it. Nothing of it takes effect. */
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
}

function callGit(
  config: readonly string[],
  args: readonly string[],
  { env, cwd, input, timeoutMs = 0, ownGroup = false }: Surroundings,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...config.flatMap((pair) => ['-c', pair]), ...args], {
      env,
      detached: ownGroup,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(cwd === undefined ? {} : { cwd }),
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
      reject(
        systemCode(error) === 'ENOENT'
          ? new SeatrialError('blocked', 'git is not installed; install the package `git`')
          : error,
      ),
    );
    child.on('close', (exitCode, signal) => {
      if (exitCode === 0) return resolve(Buffer.concat(stdout));
      const said = Buffer.concat(stderr).toString('utf8');
      const why = child.killed ? howItWasEnded(bytes, timeoutMs) : signal === null ? said : `it was ended by ${signal}`;
      reject(new GitFault(args, exitCode, why, Buffer.concat(stdout)));
    });
    // A git that ends early (it has said why on stderr) closes the pipe under us.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const MAX_OUTPUT_BYTES = 2 ** 31 - 1;

const howItWasEnded = (bytes: number, timeoutMs: number): string =>
  bytes > MAX_OUTPUT_BYTES ? 'its output is too large' : `it did not end within ${timeoutMs / 1000} s`;

/** A git directory of our own, written by hand: no template, no hooks, no configuration to inherit. */
export function makeGitDir(dir: string, alternates: readonly string[] = []): void {
  mkdirSync(join(dir, 'objects', ...(alternates.length > 0 ? ['info'] : [])), { recursive: true });
  mkdirSync(join(dir, 'refs'));
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n');
  if (alternates.length > 0) writeFileSync(join(dir, 'objects', 'info', 'alternates'), `${alternates.join('\n')}\n`);
}
