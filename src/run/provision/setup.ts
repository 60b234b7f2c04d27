import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Limits, Mount, SandboxResult } from '../../confine/types.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import { captureStream } from '../../evidence/log/capture.ts';
import { causeOf } from './cause.ts';
import { pathInside } from '../../confine/path-inside.ts';

export const SETUP_TIMEOUT_MS = 1_200_000;
const LOG_BYTES = 8 * 1024 * 1024;

/** What happened, then the cause if it is known. */
export class SetupFailed extends Refused {}

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

/** Runs a setup command, confined, with access to the host's network. Throws `SetupFailed`. */
export async function runSetup(request: SetupRequest): Promise<void> {
  const { confinement, mounts, logs, signal, mask, onLine } = request;
  const sandbox = confinement.start({
    argv: ['/bin/sh', '-c', request.command],
    env: request.env,
    cwd: pathInside(confinement, '/workspace', mounts),
    mounts,
    limits: request.limits,
    timeoutMs: SETUP_TIMEOUT_MS,
    network: 'host',
  });
  sandbox.stdin.end();
  mkdirSync(logs, { recursive: true });
  const files = ['setup.stdout.log', 'setup.stderr.log'].map((name) => join(logs, name));
  const kept = [sandbox.stdout, sandbox.stderr].map((stream, index) =>
    captureStream(stream, {
      file: files[index] ?? '',
      maxBytes: LOG_BYTES,
      mask,
      onLines: (lines) => onLine(lines.at(-1) ?? ''),
    }),
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
  throw new SetupFailed([howSetupEnded(end), ...(cause === null ? [] : [cause])]);
}

function howSetupEnded(end: SandboxResult): Reason {
  switch (end.kind) {
    case 'exited':
      return reason('setup_failed', { exit: end.exitCode });
    case 'not_run':
      return reason('setup_unfinished', { why: end.detail });
    default:
      return reason('setup_unfinished', { why: end.kind.replace('_', ' ') });
  }
}
