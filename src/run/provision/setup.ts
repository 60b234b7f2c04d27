import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits, Mount } from '../../confine/types.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { captureStream } from '../engine/capture.ts';
import { causeOf } from './cause.ts';

export const SETUP_TIMEOUT_MS = 1_200_000;
const LOG_BYTES = 8 * 1024 * 1024;

/** A failed setup. `reasons` holds what happened, then the cause if it is known. */
export class SetupFailed extends SeatrialError {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super('blocked', reasons.join('; '));
    this.reasons = reasons;
  }
}

export interface SetupRequest {
  readonly confinement: Confinement;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** The directory for its output. */
  readonly logs: string;
  readonly mask: Masker;
  readonly onLine: (line: string) => void;
}

/** Runs a setup command, confined, with access to the host's network. */
export async function runSetup(request: SetupRequest): Promise<void> {
  const { confinement, mounts, logs, signal, mask, onLine } = request;
  const sandbox = confinement.start({
    argv: ['/bin/sh', '-c', request.command],
    env: request.env,
    cwd: confinement.pathInside('/workspace', mounts),
    mounts,
    limits: request.limits,
    timeoutMs: SETUP_TIMEOUT_MS,
    network: 'host',
  });
  sandbox.stdin.end();
  mkdirSync(logs, { recursive: true });
  const files = ['setup.stdout.log', 'setup.stderr.log'].map((name) => join(logs, name));
  const kept = [sandbox.stdout, sandbox.stderr].map((stream, index) =>
    captureStream(stream, { file: files[index] ?? '', maxBytes: LOG_BYTES, mask, onLine }),
  );
  const stop = (): void => sandbox.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const end = await sandbox.ended;
  signal.removeEventListener('abort', stop);
  await Promise.all(kept);
  signal.throwIfAborted();
  if (end.kind === 'exited' && end.exitCode === 0) return;
  const cause = causeOf(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  throw new SetupFailed([
    end.kind === 'exited'
      ? `setup command failed with exit code ${end.exitCode}`
      : `setup command did not finish: ${end.kind === 'not_run' ? end.detail : end.kind.replace('_', ' ')}`,
    ...(cause === null ? [] : [cause]),
  ]);
}
