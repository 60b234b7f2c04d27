import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { AllowedSigners } from './signers.ts';

const NAMESPACE = 'seatrial-stage';

/** Signs a file as `<file>.sig` with a person's SSH key: a private key, or a public one whose private half an agent holds. */
export function signFile(file: string, key: string): void {
  if (!existsSync(key)) throw new SeatrialError('usage', `there is no SSH key ${key}; give one with --sign-with`);
  // The terminal is passed on: ssh-keygen may ask for a passphrase, or for a touch of a security key.
  const { status, stderr } = call(['-Y', 'sign', '-f', key, '-n', NAMESPACE, file], 'inherit');
  if (status !== 0 || !existsSync(`${file}.sig`))
    throw new SeatrialError('blocked', `ssh-keygen did not sign with ${key}: ${firstLine(stderr)}`);
}

export type SignerCheck =
  | { readonly ok: true; readonly signer: string }
  | { readonly ok: false; readonly fault: string };

/** Who signed a file, by the allowed signers as they are now, at the time that the file names. */
export function checkFileSignature(file: string, at: string, signers: AllowedSigners | null): SignerCheck {
  if (signers === null) return { ok: false, fault: 'there is no allowed_signers file, so no signature counts' };
  const signature = `${file}.sig`;
  if (!existsSync(signature)) return { ok: false, fault: 'it is not signed' };
  const time = `verify-time=${at.replaceAll(/[-:T]|\.\d+/g, '')}`;
  const found = call(['-Y', 'find-principals', '-s', signature, '-f', signers.path, '-O', time]);
  const [signer = ''] = found.stdout.trim().split('\n');
  if (found.status !== 0 || signer === '') return { ok: false, fault: 'its key is not in allowed_signers' };
  const args = ['-Y', 'verify', '-f', signers.path, '-I', signer, '-n', NAMESPACE, '-s', signature, '-O', time];
  const verified = call(args, readFileSync(file));
  return verified.status === 0
    ? { ok: true, signer }
    : { ok: false, fault: `its signature is not valid (${firstLine(verified.stderr || verified.stdout)})` };
}

/** What ssh-keygen finds keys, their agent and the person by; nothing else of the caller's environment. */
const SIGNING = [
  'PATH',
  'HOME',
  'TERM',
  'SSH_AUTH_SOCK',
  'SSH_ASKPASS',
  'SSH_SK_PROVIDER',
  'DISPLAY',
  'WAYLAND_DISPLAY',
];

const signingVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(SIGNING.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

function call(args: readonly string[], input: 'inherit' | Buffer = Buffer.alloc(0)) {
  const done =
    input === 'inherit'
      ? spawnSync('ssh-keygen', args, { encoding: 'utf8', env: signingVariables(), stdio: ['inherit', 'pipe', 'pipe'] })
      : spawnSync('ssh-keygen', args, { encoding: 'utf8', env: signingVariables(), input });
  if (systemCode(done.error) === 'ENOENT')
    throw new SeatrialError('blocked', 'ssh-keygen is not installed; install the package openssh-client');
  return { status: done.status, stdout: done.stdout ?? '', stderr: done.stderr ?? '' };
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
