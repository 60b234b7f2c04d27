import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyPaths, loadOrCreateKey, readPublicKey, trustedKeys } from './keys.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'seatrial-keys-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the key is created on first use, readable only by its owner, and stays the same', () => {
  const env = { HOME: home };
  const key = loadOrCreateKey(env);
  const { privateKey } = keyPaths(env);
  expect(privateKey).toBe(join(home, '.local/share/seatrial/harness.key'));
  expect(statSync(privateKey).mode & 0o777).toBe(0o600);
  expect(statSync(join(privateKey, '..')).mode & 0o777).toBe(0o700);
  expect(loadOrCreateKey(env).keyid).toBe(key.keyid);
  expect(readPublicKey(env)?.keyid).toBe(key.keyid);
  expect(readdirSync(join(privateKey, '..')).toSorted()).toEqual(['harness.key', 'harness.pub']);
});

test('rejects a key that others can read, and says how to fix it', () => {
  const env = { XDG_DATA_HOME: join(home, 'data') };
  loadOrCreateKey(env);
  chmodSync(keyPaths(env).privateKey, 0o640);
  expect(() => loadOrCreateKey(env)).toThrow(/can be read by others on this machine; run `chmod 600 /);
});

test('reading public keys creates nothing', () => {
  expect(readPublicKey({ HOME: home })).toBeNull();
  expect(trustedKeys({ HOME: home })).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

test('trusts its own key and every .pem in the trust directory', () => {
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
  const own = loadOrCreateKey(env);
  const other = generateKeyPairSync('ed25519').publicKey;
  const dir = join(home, 'config/seatrial/trusted_keys');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'ci.pem'), other.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(dir, 'notes.txt'), 'not a key');
  const trusted = trustedKeys(env);
  expect(trusted.map(({ name }) => name)).toEqual([keyPaths(env).publicKey, join(dir, 'ci.pem')]);
  expect(trusted[0]?.keyid).toBe(own.keyid);
  writeFileSync(join(dir, 'bad.pem'), 'not a key');
  expect(() => trustedKeys(env)).toThrow(/bad\.pem is not a readable public key/);
});

test('does not trust a key of another type', () => {
  const dir = join(home, '.config/seatrial/trusted_keys');
  mkdirSync(dir, { recursive: true });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  writeFileSync(join(dir, 'rsa.pem'), rsa.export({ type: 'spki', format: 'pem' }));
  expect(() => trustedKeys({ HOME: home })).toThrow(/key of type rsa; an ed25519 key is required/);
});

test('without a directory for keys, the error names the variables to set', () => {
  expect(() => loadOrCreateKey({ XDG_DATA_HOME: 'relative' })).toThrow(/neither XDG_DATA_HOME nor HOME is set/);
  expect(existsSync('relative')).toBe(false);
});
