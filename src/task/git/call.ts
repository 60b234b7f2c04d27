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

function cleanEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
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
  /** For repositories of others, in which a pipe may stand for an object. */
  readonly timeoutMs?: number;
  /** Ends with the command when the terminal's Ctrl-C does: for what takes long and leaves nothing to keep. */
  readonly endsWithTerminal?: boolean;
}

export class GitFault extends Error {
  readonly exitCode: number | null;
  readonly stdout: Buffer;

  constructor(args: readonly string[], exitCode: number | null, stderr: string, stdout: Buffer) {
    super(`git ${args[0] ?? ''} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`);
    this.name = 'GitFault';
    this.exitCode = exitCode;
    this.stdout = stdout;
  }
}

/** Runs git and gives its standard output; a non-zero exit is a `GitFault`. */
export function git(args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const env = cleanEnvironment({
    ...(call.gitDir === undefined ? {} : { GIT_DIR: call.gitDir }),
    ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
    ...call.env,
  });
  const flags = OWN_CONFIG.flatMap((pair) => ['-c', pair]);
  // In the terminal's group, Ctrl-C would end it in the middle of keeping an interrupted run's work.
  const ownGroup = call.endsWithTerminal !== true;
  return callGit(flags, args, { env, input: call.input, cwd: call.cwd, timeoutMs: call.timeoutMs, ownGroup });
}

/** Git as its user would call it, with his configuration: for delivering into his own repository, as he asked. */
export function gitOfUser(
  args: readonly string[],
  call: { readonly cwd: string; readonly input?: string | Uint8Array; readonly env?: Readonly<Record<string, string>> },
): Promise<Buffer> {
  return callGit([], args, { ...call, env: { ...process.env, ...call.env } });
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly input?: string | Uint8Array | undefined;
  readonly timeoutMs?: number | undefined;
  readonly ownGroup?: boolean;
}

function callGit(
  flags: readonly string[],
  args: readonly string[],
  { env, cwd, input, timeoutMs = 0, ownGroup = false }: Surroundings,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...flags, ...args], {
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
          ? new SeatrialError('blocked', 'git is not installed: install the package `git`')
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
