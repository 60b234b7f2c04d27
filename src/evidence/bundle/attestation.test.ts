import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../kernel/digest.ts';
import { openAttestation } from './attestation.ts';
import { preAuthEncoding } from './envelope.ts';
import { envelope } from '../schema/bundle.ts';
import { type SampleSite, sampleRun, sampleSite } from './sample-bundle.fixture.ts';
import { someRuns } from '../../kernel/some-of.fixture.ts';

let site: SampleSite;
let dir = '';
let bytes: Buffer;
beforeAll(async () => {
  site = sampleSite();
  ({ dir } = await sampleRun(site));
  bytes = readFileSync(join(dir, 'attestation.json'));
});
afterAll(() => site.remove());

test('describes the sealed run as an in-toto test result', () => {
  const opened = openAttestation(bytes);
  if (opened.kind === 'refused') throw new Error(opened.fault);
  expect(opened.keyid).toBe(site.key.keyid);
  expect(opened.statement.subject[0].digest.sha256).toBe(sha256(readFileSync(join(dir, 'manifest.json'))));
  expect(opened.statement.subject[0].annotations.report_sha256).toBe(sha256(readFileSync(join(dir, 'report.json'))));
  expect(opened.statement.predicate).toMatchObject({ result: 'PASSED', passedTests: ['test_words', 'test_empty'] });
  const named = opened.statement.predicate.configuration.map(({ name }) => name);
  expect(named).toEqual(['inputs/base.tar', 'inputs/contract.json']);
});

test('OpenSSL accepts the signature over these bytes only', () => {
  const { payload, signatures } = envelope.parse(JSON.parse(bytes.toString('utf8')));
  const signed = join(site.root, 'signed');
  const signature = join(site.root, 'signature');
  writeFileSync(signature, Buffer.from(signatures[0]?.sig ?? '', 'base64'));
  const publicKey = join(site.root, 'home/.local/share/seatrial/harness.pub');
  const verify = (): string =>
    execFileSync(
      'openssl',
      ['pkeyutl', '-verify', '-pubin', '-inkey', publicKey, '-rawin', '-in', signed, '-sigfile', signature],
      { encoding: 'utf8', stdio: 'pipe' },
    );
  writeFileSync(signed, preAuthEncoding(Buffer.from(payload, 'base64')));
  expect(verify()).toContain('Signature Verified Successfully');
  writeFileSync(signed, preAuthEncoding(Buffer.from(payload.slice(0, -4), 'base64')));
  expect(verify).toThrow('openssl');
});

test('rejects any single changed byte', () => {
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ flip;
      expect(openAttestation(changed).kind).toBe('refused');
    }),
    { numRuns: someRuns(500) },
  );
});

test('rejects a signature by a key other than the named one', () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const outer = envelope.parse(JSON.parse(bytes.toString('utf8')));
  outer.signatures[0] = { keyid: sha256(other), sig: outer.signatures[0]?.sig ?? '' };
  expect(openAttestation(Buffer.from(`${JSON.stringify(outer, null, 2)}\n`))).toEqual({
    kind: 'refused',
    fault: 'keyid does not match its key',
  });
});
