import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installed, installGlobally } from '../support/installed.ts';
import { Place } from '../support/seatrial.ts';
import { missingFrom } from '../support/complete-bundle.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

const TASKS = ['r1-string-slugify', 'node-duration', 'shell-top-words', 'python-invoice'];
const place = new Place();
const elsewhere = new Place();
let bundle: string;
let key: string;

beforeAll(async () => {
  bundle = (await place.run('r1-string-slugify')).report.run_dir;
  key = join(place.root, 'harness.pem');
  writeFileSync(key, (await place.seatrial(['key', 'show'])).stdout);
});
afterAll(() => {
  place.remove();
  elsewhere.remove();
});

function call(program: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: bundle,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });
  return { status, said: `${stdout}${stderr}` };
}

describe('the bundle of a run', () => {
  it('holds every artifact, and its report every field', () => {
    expect(missingFrom(bundle)).toEqual([]);
  });

  it('is what its manifest says, by sha256sum', () => {
    const { files }: { files: { path: string; sha256: string }[] } = JSON.parse(
      readFileSync(join(bundle, 'manifest.json'), 'utf8'),
    );
    const sums = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    expect(call('sha256sum', ['--check', '--strict', '--quiet', '-'], sums)).toEqual({ status: 0, said: '' });
    const there = readdirSync(bundle, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(bundle.length + 1));
    expect(there.toSorted()).toEqual(
      [...files.map(({ path }) => path), 'manifest.json', 'attestation.json'].toSorted(),
    );
  });

  it('is signed so that openssl accepts it, and refuses anything else', () => {
    const envelope: { payload: string; payloadType: string; signatures: { sig: string }[] } = JSON.parse(
      readFileSync(join(bundle, 'attestation.json'), 'utf8'),
    );
    const payload = Buffer.from(envelope.payload, 'base64');
    const pae = Buffer.concat([
      Buffer.from(`DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `),
      payload,
    ]);
    const signed = join(place.root, 'pae');
    const signature = join(place.root, 'signature');
    const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', signed, '-sigfile', signature];
    writeFileSync(signed, pae);
    writeFileSync(signature, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'));
    expect(call('openssl', verify)).toMatchObject({
      status: 0,
      said: expect.stringContaining('Verified Successfully'),
    });
    pae[pae.length - 1] = (pae.at(-1) ?? 0) ^ 1;
    writeFileSync(signed, pae);
    expect(call('openssl', verify).status).not.toBe(0);
  });
});

describe('verify', () => {
  it('knows the key of its own machine', async () => {
    const ended = await place.seatrial(['verify', bundle]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: .* is a pass$/m) });
  });

  it('says "consistent, signer unknown" where no key is pinned, and never "verified"', async () => {
    for (const args of [[], ['--json']]) {
      const ended = await elsewhere.seatrial(['verify', bundle, ...args]);
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain('consistent, signer unknown');
      expect(ended.stdout).not.toContain('verified');
    }
  });

  it('accepts the key that is given, and not a bundle of another', async () => {
    const foreign = join(place.root, 'foreign.pem');
    writeFileSync(foreign, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
    expect(await elsewhere.seatrial(['verify', bundle, '--key', key])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified: /m),
    });
    for (const owner of [place, elsewhere]) {
      const ended = await owner.seatrial(['verify', bundle, '--key', foreign]);
      expect(ended.code).toBe(1);
      expect(ended.stdout).toMatch(/^FAIL +signature .*not by the given key/m);
      expect(ended.stdout).not.toMatch(/^(verified|consistent)/m);
    }
    expect(await place.seatrial(['verify', '--all', '--key', foreign])).toMatchObject({ code: 1 });
    expect(await place.seatrial(['verify', '--all', '--key', key])).toMatchObject({ code: 0 });
  });
});

describe('a bundle in another directory', () => {
  let installed: Installed;

  beforeAll(() => {
    installed = installGlobally();
  });
  afterAll(() => installed.remove());

  it.each(someOf(TASKS))(
    'of %s, passed by the installed package, is judged again without any task of this project',
    async (task) => {
      const { command, root } = installed;
      const { report } = await place.run(task, [], { command });
      expect(report).toMatchObject({ status: 'pass', failure_reason: null });
      const copy = join(elsewhere.cwd, `copy of ${task}`);
      cpSync(report.run_dir, copy, { recursive: true, preserveTimestamps: true });
      renameSync(join(root, 'tasks'), join(root, 'gone'));
      expect(await elsewhere.seatrial(['run', task], { command })).toMatchObject({ code: 64 });
      const ended = await elsewhere.seatrial(['verify', copy, '--rerun', '--key', key], { command });
      renameSync(join(root, 'gone'), join(root, 'tasks'));
      expect(ended.stdout).toMatch(/^ok +rerun +judged again: passed, \d+ tests, as reported$/m);
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: /m) });
    },
  );
});
