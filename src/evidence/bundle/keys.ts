import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { makeDirs, syncDir, writeSynced } from '../storage/durable.ts';
import { userDir } from '../../kernel/user-dirs.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface HarnessKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly keyid: string;
}

/** What a signature is checked with. */
export type SigningKey = Pick<TrustedKey, 'keyid' | 'publicKey'>;

export interface TrustedKey {
  /** Origin of the key, for display. */
  readonly name: string;
  readonly keyid: string;
  readonly publicKey: KeyObject;
}

/** SHA-256 of the public key's SPKI DER form. */
export function keyidOf(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: 'spki', format: 'der' }));
}

export function keyPaths(env: Environment): { readonly privateKey: string; readonly publicKey: string } {
  const dir = join(requiredDir('data', env), 'seatrial');
  return { privateKey: join(dir, 'harness.key'), publicKey: join(dir, 'harness.pub') };
}

/** Returns the key that seals bundles, creating it on first use. Concurrent callers all get the same key. */
export function loadOrCreateKey(env: Environment): HarnessKey {
  const paths = keyPaths(env);
  try {
    const privateKey = readPrivateKey(paths.privateKey) ?? makePrivateKey(paths.privateKey);
    const publicKey = createPublicKey(privateKey);
    publish(paths.publicKey, publicKey);
    return { privateKey, publicKey, keyid: keyidOf(publicKey) };
  } catch (error) {
    if (error instanceof SeatrialError) throw error;
    const text = `cannot use the harness key ${paths.privateKey}: ${messageOf(error)}; check HOME and XDG_DATA_HOME`;
    throw new SeatrialError('evidence', text, error);
  }
}

/** The public key, or null if no key exists yet. Writes nothing. */
export function readPublicKey(env: Environment): TrustedKey | null {
  const path = keyPaths(env).publicKey;
  return readIfThere(path) === null ? null : readTrustedKey(path);
}

/** Keys trusted to seal bundles: this harness's own and every `*.pem` in the trust directory. Writes nothing. */
export function trustedKeys(env: Environment): readonly TrustedKey[] {
  const own = readPublicKey(env);
  const others = keysIn(join(requiredDir('config', env), 'seatrial', 'trusted_keys'));
  return own === null ? others : [own, ...others];
}

/** Every `*.pem` of a directory. Throws a usage error if there is none: a check against no key would refuse without saying why. */
export function readTrustedKeys(dir: string): readonly TrustedKey[] {
  const keys = keysIn(dir);
  if (keys.length === 0) throw new SeatrialError('usage', `${dir} holds no public key (*.pem)`);
  return keys;
}

function keysIn(dir: string): readonly TrustedKey[] {
  return namesIn(dir)
    .filter((name) => name.endsWith('.pem'))
    .toSorted()
    .map((name) => readTrustedKey(join(dir, name)));
}

/** Parses an ed25519 public key in PEM form, for `--key` and the trust directory. */
export function readTrustedKey(path: string): TrustedKey {
  let publicKey: KeyObject;
  try {
    publicKey = createPublicKey(readFileSync(path));
  } catch (error) {
    throw new SeatrialError('usage', `${path} is not a readable public key in PEM form: ${messageOf(error)}`, error);
  }
  if (publicKey.asymmetricKeyType !== 'ed25519') {
    throw new SeatrialError(
      'usage',
      `${path} is a key of type ${publicKey.asymmetricKeyType}; an ed25519 key is required`,
    );
  }
  return { name: path, keyid: keyidOf(publicKey), publicKey };
}

function readPrivateKey(path: string): KeyObject | null {
  const pem = readIfThere(path);
  if (pem === null) return null;
  if ((statSync(path).mode & 0o077) !== 0) {
    const remedy = `run \`chmod 600 ${path}\`, or remove it if others may have read it`;
    throw new SeatrialError('evidence', `the harness key ${path} can be read by others on this machine; ${remedy}`);
  }
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new SeatrialError('evidence', `${path} is not an ed25519 key; move it away to have a new one created`);
  }
  return key;
}

function makePrivateKey(path: string): KeyObject {
  const dir = dirname(path);
  makeDirs(dir, 0o700);
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const draft = join(dir, `.harness.key-${randomUUID()}`);
  try {
    writeSynced(draft, Buffer.from(pem), 'wx', 0o600);
    linkSync(draft, path); // atomic and exclusive: only the first caller succeeds
    syncDir(dir);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readPrivateKey(path);
  if (key === null) throw new Error('it was removed while being created');
  return key;
}

function publish(path: string, publicKey: KeyObject): void {
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  if (readIfThere(path)?.equals(pem)) return;
  const draft = join(dirname(path), `.harness.pub-${randomUUID()}`);
  writeSynced(draft, pem, 'wx');
  renameSync(draft, path);
}

function requiredDir(kind: 'config' | 'data', env: Environment): string {
  const dir = userDir(kind, env);
  if (dir !== null) return dir;
  const variable = `XDG_${kind.toUpperCase()}_HOME`;
  throw new SeatrialError('usage', `neither ${variable} nor HOME is set; set one of them to store keys`);
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
