import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keyidOf } from '../evidence/bundle/keys.ts';
import { sha256 } from '../kernel/digest.ts';
import { isSignedBy, keepCheckReport } from './check-report.ts';

function makeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey, keyid: keyidOf(publicKey) };
}

it('a check report is signed by its key, and by no other once a byte is changed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'check-report-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [key, other] = [makeKey(), makeKey()];
  const about = { build_sha256: sha256('build'), executable_sha256: sha256('ca'), at: new Date(0).toISOString() };
  const report = keepCheckReport(dir, { suite: 's', ok: false, checks: [], ...about }, key);
  expect(isSignedBy(report, key)).toBe(true);
  expect(isSignedBy(report, other)).toBe(false);
  expect(isSignedBy({ ...report, ok: true }, key)).toBe(false);
  expect(isSignedBy({ ...report, keyid: other.keyid }, other)).toBe(false);
});
