import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { openStages, subjectHistory, type StagesPlace } from '../standing.ts';
import { appendRecord, readHistory, type RecordDraft } from './store.ts';
import { readAllowedSigners, sshForm } from './signers.ts';

let root: string;
let place: StagesPlace;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stages-'));
  const env = { HOME: root };
  place = {
    stagesDir: join(root, 'stages'),
    runsDir: join(root, 'runs'),
    env,
    verify: { trusted: [], now: new Date() },
  };
  mkdirSync(join(root, '.config/seatrial'), { recursive: true });
  allow('me@example.org', makeKey('mine'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function makeKey(name: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(root, name)]);
  return readFileSync(join(root, `${name}.pub`), 'utf8').trim();
}

function allow(who: string, key: string): void {
  appendFileSync(join(root, '.config/seatrial/allowed_signers'), `${who} ${key}\n`);
}

const SUBJECT = { engine: 'case', executable_sha256: sha256('ca'), model: 'a/b' };
const batch = (minute: number): RecordDraft => ({
  kind: 'batch',
  at: new Date(Date.UTC(2026, 10, 17, 0, minute)).toISOString(),
  subject: SUBJECT,
  stage: 2,
  comparison_id: 'c',
  plan_sha256: ZERO_DIGEST,
  runs: 5,
  sandbox_of: null,
  absent: [],
  repeats: null,
});

function signing(key: string) {
  const signers = readAllowedSigners(place.env);
  if (signers === null) throw new Error('no signers');
  return { key: join(root, key), signers };
}

const counted = (): number => subjectHistory(openStages(place, 'compared'), SUBJECT).batches.length;
const refusals = (): string[] => subjectHistory(openStages(place, 'compared'), SUBJECT).refused.map(({ why }) => why);

it('a record signed by an allowed person counts, and names who it was', async () => {
  await appendRecord(place.stagesDir, batch(1), signing('mine'));
  await appendRecord(place.stagesDir, batch(2), signing('mine'));
  expect(counted()).toBe(2);
  const [first] = openStages(place, 'compared').records;
  expect(first?.signature).toEqual({ ok: true, signer: 'me@example.org' });
});

it('a key that is not allowed, no key, and a copied signature decide nothing', async () => {
  makeKey('other');
  await expect(appendRecord(place.stagesDir, batch(1), signing('other'))).rejects.toThrow(/not in allowed_signers/);
  await expect(appendRecord(place.stagesDir, batch(1), signing('none'))).rejects.toThrow(/there is no SSH key/);
  expect(readHistory(place.stagesDir)).toMatchObject({ ok: true, records: [] });
  const signed = await appendRecord(place.stagesDir, batch(1), signing('mine'));
  // What a script without the key could do: write the next record itself, and bring a signature from elsewhere.
  const forged = {
    ...signed.record,
    id: 'forged',
    previous: signed.sha256,
    at: new Date(Date.UTC(2026, 10, 18)).toISOString(),
  };
  writeFileSync(join(place.stagesDir, 'batches/forged.json'), `${JSON.stringify(forged, null, 2)}\n`);
  expect([counted(), refusals()]).toEqual([1, ['it is not signed']]);
  copyFileSync(join(place.stagesDir, `${signed.file}.sig`), join(place.stagesDir, 'batches/forged.json.sig'));
  expect(counted()).toBe(1);
  expect(refusals()[0]).toMatch(/signature is not valid/);
});

it('one changed byte, a removed record and a signer who was removed undo it', async () => {
  const first = await appendRecord(place.stagesDir, batch(1), signing('mine'));
  await appendRecord(place.stagesDir, batch(2), signing('mine'));
  const path = join(place.stagesDir, first.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"runs": 5', '"runs": 6'));
  expect(openStages(place, 'compared').faults).not.toEqual([]);
  rmSync(path);
  expect(openStages(place, 'compared').faults[0]).toMatch(/missing or was changed/);
  writeFileSync(path, text);
  expect(counted()).toBe(2);
  writeFileSync(join(root, '.config/seatrial/allowed_signers'), '');
  expect(counted()).toBe(0);
});

it("Seatrial's own key among the allowed signers is an error, and nothing counts", async () => {
  await appendRecord(place.stagesDir, batch(1), signing('mine'));
  allow('seatrial', `ssh-ed25519 ${sshForm(loadOrCreateKey(place.env).publicKey)}`);
  expect(openStages(place, 'compared')).toMatchObject({ faults: [expect.stringMatching(/key of Seatrial itself/)] });
});
