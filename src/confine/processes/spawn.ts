import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import type { UserIdentity } from './identity.ts';

/** The only function that starts confined commands and the tools that confinement needs. */
export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdio: StdioOptions;
  readonly identity: UserIdentity | null;
  /** Starts a new process group, which can be signalled as a whole. */
  readonly ownGroup?: boolean;
}

export function spawnCommand({ file, args, env, cwd, stdio, identity, ownGroup = false }: SpawnRequest): ChildProcess {
  return spawn(file, [...args], { env: { ...env }, cwd, stdio, detached: ownGroup, ...identity });
}

export interface ToolResult {
  /** Null: killed by a signal, or not started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolRequest {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly identity?: UserIdentity | null;
  readonly timeoutMs?: number;
  /** For its standard input. */
  readonly input?: string;
}

/** Runs a host tool with little output, unconfined. Never rejects. */
export function runTool(file: string, args: readonly string[], request: ToolRequest = {}): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      env: { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...request.env },
      cwd: '/',
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true, // shields it from Ctrl-C in the terminal
      timeout: request.timeoutMs ?? 20_000,
      killSignal: 'SIGKILL',
      ...request.identity,
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => resolve({ exitCode: null, stdout, stderr: error.message }));
    child.stdin?.on('error', () => {}).end(request.input); // if it exits early, its exit code says why
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    // Its output can stay open after it was killed: a tmux client hands it to the server.
    child.once('exit', (_exitCode, signal) => {
      if (signal === null) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  });
}

/** The same, synchronously. */
export function runToolNow(file: string, args: readonly string[]): ToolResult {
  const done = spawnSync(file, [...args], { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, cwd: '/', encoding: 'utf8' });
  return { exitCode: done.status, stdout: done.stdout ?? '', stderr: done.error?.message ?? done.stderr ?? '' };
}
