import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { piDir, shellPath } from '../agent/pi.ts';

const MAX_LINES = 2000;
const MAX_BYTES = 50 * 1024;
/** How long to wait for output after the shell has exited: its background processes may keep the pipe open forever. */
const DRAIN_MS = 100;

/** Runs in its own session, where signals to Case's process group do not reach it, with the full environment. */
export async function runShell(
  command: string,
  cwd: string,
  timeoutSec: number | null,
  signal: AbortSignal,
): Promise<string> {
  const env = { ...process.env, PATH: [join(piDir(), 'bin'), process.env['PATH'] ?? ''].join(delimiter) };
  const child = spawn(shellPath(), ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const late = timeoutSec === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutSec * 1000)]);
  const end = (): void => killSession(child);
  late.addEventListener('abort', end, { once: true });
  const code = await ended(child).finally(() => late.removeEventListener('abort', end));
  const output = tail(Buffer.concat(chunks).toString('utf8'));
  if (signal.aborted) throw new Error(joined(output, 'Command aborted'));
  if (late.aborted) throw new Error(joined(output, `Command timed out after ${timeoutSec} seconds`));
  if (code !== 0 && code !== null) throw new Error(joined(output || '(no output)', `Command exited with code ${code}`));
  return output || '(no output)';
}

async function ended(child: ChildProcess): Promise<number | null> {
  const closed = new Promise<void>((resolve) => child.once('close', resolve));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  await Promise.race([closed, wait(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return code;
}

function killSession(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The session has already exited.
  }
}

const joined = (output: string, end: string): string => (output === '' ? end : `${output}\n\n${end}`);

function tail(output: string): string {
  const lines = output.split('\n');
  const kept = lines.slice(-MAX_LINES).join('\n').slice(-MAX_BYTES);
  return kept.length === output.length ? output : `${kept}\n\n[Showing the end of ${lines.length} lines.]`;
}
