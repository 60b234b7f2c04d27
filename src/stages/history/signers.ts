import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { type Environment, readPublicKey } from '../../evidence/bundle/keys.ts';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { userDir } from '../../kernel/user-dirs.ts';

/** Where a person keeps what no repository and no engine may write. */
export function userConfigDir(env: Environment): string {
  return join(userDir('config', env) ?? '/.config', 'seatrial');
}

export const allowedSignersPath = (env: Environment): string => join(userConfigDir(env), 'allowed_signers');

export interface AllowedSigners {
  readonly path: string;
  readonly sha256: string;
}

/** Null: there is no such file, so no stage can be granted. Throws where the harness's own key is listed. */
export function readAllowedSigners(env: Environment): AllowedSigners | null {
  const path = allowedSignersPath(env);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new SeatrialError('blocked', `cannot read ${path}: ${messageOf(error)}`, error);
  }
  const own = readPublicKey(env);
  if (own !== null && bytes.toString('utf8').includes(sshForm(own.publicKey)))
    throw new SeatrialError(
      'blocked',
      `${path} lists the key of Seatrial itself, which must not grant stages; remove that line`,
    );
  return { path, sha256: sha256(bytes) };
}

/** An ed25519 key as OpenSSH writes it, without its type and comment. */
export function sshForm(key: KeyObject): string {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(-32);
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]).toString('base64');
}
