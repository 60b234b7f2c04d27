import { spawnCommand } from '../../confine/processes/spawn.ts';
import { ownCommand } from '../lifecycle/environment.ts';

interface OwnProcess {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** What a command of this Seatrial printed. `failure`: the last line of its errors, or why it could not be started. */
export interface OwnOutput {
  readonly stdout: string;
  readonly failure: string | null;
}

/** Runs a command of this Seatrial in a process of its own, never in a pane. Never rejects. */
export function runOwnCommand({ args, cwd, signal }: OwnProcess): Promise<OwnOutput> {
  const [program = '', ...own] = ownCommand();
  return new Promise((done) => {
    const child = spawnCommand({
      file: program,
      args: [...own, ...args],
      env: environment(),
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      identity: null,
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr = `${stderr}${chunk.toString()}`.slice(-4000)));
    const end = (): void => void child.kill('SIGINT');
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => done({ stdout: '', failure: error.message }));
    child.once('close', () => {
      signal.removeEventListener('abort', end);
      done({ stdout, failure: stderr.trim().split('\n').at(-1) || null });
    });
  });
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
