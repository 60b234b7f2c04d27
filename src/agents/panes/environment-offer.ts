import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { shellWord } from '../lifecycle/script.ts';

/** How long a script may take to ask: the tmux server may be busy. */
const ASKED_WITHIN_MS = 30_000;

/** Values that one script may ask for, once. */
export interface EnvironmentOffer {
  /** Lines of a shell script that ask for the values and export them. */
  readonly script: readonly string[];
  /** Resolves when the script has them, or when it did not ask in time. */
  settled(): Promise<void>;
  close(): void;
}

const NOTHING: EnvironmentOffer = { script: [], settled: async () => {}, close: () => {} };

/** The values of variables that agents.toml names. Throws if one is not set. */
export function namedVariables(
  agent: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const missing = missingVariables(names, env);
  if (missing.length > 0)
    throw new SeatrialError(
      'blocked',
      `${agent}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set here; set ${missing.length === 1 ? 'it' : 'them'}, then \`seatrial down watchdog\` and \`seatrial up\``,
    );
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
}

export const missingVariables = (names: readonly string[], env: NodeJS.ProcessEnv): readonly string[] =>
  names.filter((name) => env[name] === undefined);

/**
 * Offers values to the script of a pane over a Unix socket that only this user can open. On a command line, in a file or in tmux's own environment they
 * could be read by others, or stay behind.
 */
export async function offerEnvironment(values: Readonly<Record<string, string>>): Promise<EnvironmentOffer> {
  if (Object.keys(values).length === 0) return NOTHING;
  // Short: a longer path than 107 bytes is cut off without an error.
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-env-'));
  const path = join(dir, 's');
  const server = createServer();
  const close = (): void => {
    server.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const settled = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ASKED_WITHIN_MS);
    server.once('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('close', resolve);
      socket.end(JSON.stringify(values));
    });
    server.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  await listen(server, path).catch((error: unknown) => {
    close();
    throw new SeatrialError('blocked', `cannot listen at ${path}`, error);
  });
  chmodSync(path, 0o600);
  const ask = [process.execPath, join(packageRoot(), 'dist', 'pane-environment.js'), path].map(shellWord).join(' ');
  return { script: [`values=$(${ask}) || exit 73`, 'eval "$values"', 'unset values'], settled: () => settled, close };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
