import fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyidOf } from './keys.ts';
import { attestLanding, checkLandingRecord, type LandingFacts } from './landing-record.ts';

function harnessKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey, keyid: keyidOf(publicKey) };
}

const key = harnessKey();
const trusted = [{ name: 'mine', keyid: key.keyid, publicKey: key.publicKey }];
const id = (digit: string): string => digit.repeat(40);
const FACTS: LandingFacts = {
  onto: 'refs/heads/main',
  tip: id('1'),
  commit: id('2'),
  tree: id('3'),
  runId: 'judged',
  parentRunId: 'made',
  attestationSha256: '4'.repeat(64),
  provenAt: '2026-01-02T03:04:05.000Z',
};
const COMMIT = { commit: id('2'), tree: id('3'), parents: [id('1')] };
const record = attestLanding(FACTS, key);

test('proves its commit, on its parent, for its branch, by its key', () => {
  expect(checkLandingRecord(record, COMMIT, 'refs/heads/main', trusted)).toMatchObject({ ok: true });
  const refused = (commit: Partial<typeof COMMIT>, onto: string | null = null, keys = trusted): unknown =>
    checkLandingRecord(record, { ...COMMIT, ...commit }, onto, keys);
  expect(refused({ commit: id('5') })).toMatchObject({ ok: false, fault: expect.stringContaining('about commit') });
  expect(refused({ tree: id('5') })).toMatchObject({ ok: false, fault: expect.stringContaining('about tree') });
  expect(refused({ parents: [id('5')] })).toMatchObject({ ok: false, fault: expect.stringContaining('only parent') });
  expect(refused({ parents: [id('1'), id('5')] })).toMatchObject({ ok: false });
  expect(refused({ parents: [] })).toMatchObject({ ok: false });
  expect(refused({}, 'refs/heads/release')).toMatchObject({ ok: false, fault: expect.stringContaining('not for') });
  expect(refused({}, null, [])).toMatchObject({ ok: false, fault: expect.stringContaining('not trusted') });
  const other = harnessKey();
  const forged = attestLanding(FACTS, { ...other, keyid: key.keyid });
  expect(checkLandingRecord(forged, COMMIT, null, trusted)).toMatchObject({ ok: false });
});

test('one changed byte anywhere makes it worthless', () => {
  fc.assert(
    fc.property(fc.nat(record.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(record);
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      expect(checkLandingRecord(changed, COMMIT, null, trusted).ok).toBe(false);
    }),
    { numRuns: 200 },
  );
});
