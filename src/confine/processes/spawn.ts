import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process';
import type { UserIdentity } from './identity.ts';

/** The only place from which confined commands, and the small tools that confining needs, are started. */
export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdio: StdioOptions;
  readonly identity: UserIdentity | null;
  /** A process group of its own, so that it can be signalled as one. */
  readonly ownGroup?: boolean;
}

export function spawnCommand({ file, args, env, cwd, stdio, identity, ownGroup = false }: SpawnRequest): ChildProcess {
  return spawn(file, [...args], { env: { ...env }, cwd, stdio, detached: ownGroup, ...identity });
}

export interface ToolResult {
  /** Null: it was ended by a signal or could not be started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToolRequest {
  readonly env?: Readonly<Record<string, string>>;
  readonly identity?: UserIdentity | null;
  readonly timeoutMs?: number;
}

/** Runs a tool of this machine that prints little, outside any confinement. Never rejects. */
export function runTool(file: string, args: readonly string[], request: ToolRequest = {}): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], {
      env: { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...request.env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // not reached by a terminal's Ctrl-C
      timeout: request.timeoutMs ?? 20_000,
      killSignal: 'SIGKILL',
      ...request.identity,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => resolve({ exitCode: null, stdout, stderr: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** The same, for what must be there before the next line. */
export function runToolNow(file: string, args: readonly string[]): ToolResult {
  const done = spawnSync(file, [...args], { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, cwd: '/', encoding: 'utf8' });
  return { exitCode: done.status, stdout: done.stdout ?? '', stderr: done.error?.message ?? done.stderr ?? '' };
}
