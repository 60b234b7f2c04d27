import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyPaths, loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { sealLandingResult } from '../../evidence/verification-result/seal-result.ts';
import { verifyResultFile } from '../../evidence/verification-result/verify-result.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { stageResult } from './stage-result.ts';
import { appendRecord, readHistory, type RecordDraft } from './store.ts';
import { readAllowedSigners } from './signers.ts';

const tools = ['bash', 'jq', 'openssl', 'ssh-keygen'];
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

/** By DSSE, what is signed is a text of type and length, and the payload. */
const CHECK = `
jq -r .payload "$FILE" | base64 -d > payload
jq -r '.signatures[0].sig' "$FILE" | base64 -d > signature
{ printf 'DSSEv1 28 application/vnd.in-toto+json %d ' "$(stat -c %s payload)"; cat payload; } > signed
openssl pkeyutl -verify -pubin -inkey "$KEY" -rawin -in signed -sigfile signature
jq -e '.payloadType == "application/vnd.in-toto+json"' "$FILE"
`;
/** What the specifications of Statement v1 and of the predicate svr/v0.1 require. */
const REQUIRED = `
._type == "https://in-toto.io/Statement/v1"
and (.subject | length > 0 and all(.digest | type == "object" and length > 0 and all(type == "string")))
and .predicateType == "https://in-toto.io/attestation/svr/v0.1"
and (.predicate.verifier.id | test("^[a-z]+:"))
and (.predicate.timeCreated | sub("[.][0-9]+Z$"; "Z") | fromdateiso8601 > 0)
and (.predicate.properties | type == "array" and length > 0 and all(type == "string"))
`;

describe.skipIf(missing.length > 0)(`statements for other tools (needs ${tools.join(', ')})`, () => {
  let root: string;
  let env: { readonly HOME: string };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'stage-result-'));
    env = { HOME: root };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const check = (file: string): string =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', CHECK], {
      cwd: root,
      env: { PATH: process.env['PATH'], KEY: keyPaths(env).publicKey, FILE: file },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const ask = (filter: string): unknown =>
    JSON.parse(execFileSync('jq', ['-c', filter, join(root, 'payload')], { encoding: 'utf8' }));

  it('a granted stage is stated beside its decision, and one changed byte is found', async () => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, 'mine')]);
    mkdirSync(join(root, '.config/seatrial'), { recursive: true });
    const publicKey = readFileSync(join(root, 'mine.pub'), 'utf8');
    appendFileSync(join(root, '.config/seatrial/allowed_signers'), `me@example.org ${publicKey}`);
    const signers = readAllowedSigners(env);
    if (signers === null) throw new Error('no signers');
    const run = { run_id: 'r1', report_sha256: sha256('report'), outcome: 'pass', why: null } as const;
    const draft: RecordDraft = {
      kind: 'decision',
      action: 'promote',
      at: '2026-01-02T03:04:05.678Z',
      subject: { engine: 'case', executable_sha256: sha256('program'), model: 'a/b' },
      stage: 2,
      cause: null,
      evidence: [{ batch: 'b', batch_sha256: ZERO_DIGEST, plan_sha256: ZERO_DIGEST, runs: [run] }],
      tally: null,
      absent: [],
    };
    const stages = join(root, 'stages');
    const companion = stageResult(loadOrCreateKey(env));
    const kept = await appendRecord(stages, draft, { key: join(root, 'mine'), signers }, companion);
    const file = join(stages, kept.file.replace(/\.json$/, '.intoto.jsonl'));
    expect(check(file)).toContain('Signature Verified Successfully');
    expect(ask(REQUIRED)).toBe(true);
    expect(ask('[.subject[0].name, .subject[0].digest.sha256, .predicate.properties]')).toEqual([
      'case',
      sha256('program'),
      ['SEATRIAL_STAGE_2'],
    ]);
    const decision = readFileSync(join(stages, kept.file));
    expect(ask('.predicate.evidence | map(.digest.sha256)')).toEqual([sha256(decision), sha256('report')]);
    expect(readHistory(stages)).toMatchObject({ ok: true, records: [{ file: kept.file }] });

    const { keyid, publicKey: own } = loadOrCreateKey(env);
    const trusted = [{ name: 'this machine', keyid, publicKey: own }];
    const verified = () => verifyResultFile(file, join(root, 'runs'), { trusted });
    const details = (): readonly string[] =>
      verified().checks.map(({ ok, detail }) => `${ok ? 'ok' : 'FAIL'} ${detail}`);
    expect(verified()).toMatchObject({ ok: true, statement: { predicate: { properties: ['SEATRIAL_STAGE_2'] } } });
    expect(details()).toEqual([
      expect.stringMatching(/^ok valid, by key .* \(this machine\)$/),
      `ok ${kept.file} is the one that it names`,
      'ok r1/report.json is not here and was not compared',
    ]);
    mkdirSync(join(root, 'runs/r1'), { recursive: true });
    writeFileSync(join(root, 'runs/r1/report.json'), 'another report');
    expect([verified().ok, details().at(-1)]).toEqual([false, 'FAIL r1/report.json is not the one that it names']);
    writeFileSync(join(root, 'runs/r1/report.json'), 'report');
    expect(verified().ok).toBe(true);
    expect(verifyResultFile(file, join(root, 'runs'), { trusted: [] })).toMatchObject({
      ok: false,
      statement: null,
      checks: [{ detail: expect.stringContaining('is not trusted here') }],
    });

    const line = readFileSync(file, 'utf8');
    const { payload } = JSON.parse(line) as { payload: string };
    const raised = Buffer.from(payload, 'base64').toString('utf8').replace('SEATRIAL_STAGE_2', 'SEATRIAL_STAGE_6');
    writeFileSync(file, line.replace(payload, Buffer.from(raised).toString('base64')));
    expect(() => check(file)).toThrow(/Command failed/);
    expect(verified()).toMatchObject({ ok: false, checks: [{ detail: 'the signature is invalid' }] });
    writeFileSync(file, `${line}\n`);
    expect(verified()).toMatchObject({ ok: false, checks: [{ detail: 'not in the form Seatrial writes' }] });
  });

  it('a decision that is refused leaves no statement', async () => {
    const stages = join(root, 'stages');
    const draft = { kind: 'decision', action: 'promote', at: '2026-01-02T03:04:05.678Z', stage: 2 } as const;
    const subject = { engine: 'fake', executable_sha256: null, model: null };
    const more = { subject, cause: null, evidence: [], tally: null, absent: [] };
    mkdirSync(join(root, '.config/seatrial'), { recursive: true });
    writeFileSync(join(root, '.config/seatrial/allowed_signers'), '');
    const signers = readAllowedSigners(env);
    if (signers === null) throw new Error('no signers');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, 'other')]);
    const signing = { key: join(root, 'other'), signers };
    const companion = stageResult(loadOrCreateKey(env));
    await expect(appendRecord(stages, { ...draft, ...more }, signing, companion)).rejects.toThrow(/allowed_signers/);
    expect(readdirSync(join(stages, 'decisions'))).toEqual([]);
  });

  it('a landing is stated with its commit and the judgement it rests on', () => {
    const facts = {
      onto: 'refs/heads/main',
      tip: '1'.repeat(40),
      commit: '2'.repeat(40),
      tree: '3'.repeat(40),
      runId: 'judged',
      parentRunId: 'made',
      attestationSha256: sha256('attestation'),
      provenAt: '2026-01-02T03:04:05.000Z',
    };
    const file = join(root, 'landing.intoto.jsonl');
    writeFileSync(file, sealLandingResult(facts, Buffer.from('record'), loadOrCreateKey(env)));
    expect(check(file)).toContain('Signature Verified Successfully');
    expect(ask(REQUIRED)).toBe(true);
    expect(ask('[.subject[0].digest, .predicate.properties]')).toEqual([
      { gitCommit: facts.commit, gitTree: facts.tree },
      ['SEATRIAL_MERGED_TREE_PASSED'],
    ]);
    expect(ask('.predicate.evidence | map(.digest.sha256)')).toEqual([sha256('record'), sha256('attestation')]);
  });
});
