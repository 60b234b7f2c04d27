import fc from 'fast-check';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemClock } from '../../kernel/clock.ts';
import { artifactPath, type Bundle } from '../bundle/bundle.ts';
import { readFileTree } from '../storage/file-tree.ts';
import { loadOrCreateKey } from '../bundle/keys.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';
import { beginSample, fillSample, sampleRun, type SampleSite, sampleSite } from '../bundle/sample-bundle.fixture.ts';
import { sealBundle } from '../bundle/seal.ts';
import type { BundleVerification } from './types.ts';
import { verifyBundle } from './verify-bundle.ts';
import { someRuns } from '../../kernel/some-of.fixture.ts';

let site: SampleSite;
const verify = (dir: string): BundleVerification => verifyBundle(dir, { trusted: site.trusted, now: new Date() });
const faultsOf = (dir: string): string => faultsIn(verify(dir));

const faultsIn = ({ checks }: ReturnType<typeof verify>): string =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`)
    .join('\n');

describe('any one byte', () => {
  let bundle: Bundle;
  let paths: readonly string[] = [];
  beforeAll(async () => {
    site = sampleSite();
    bundle = await sampleRun(site, { control: true });
    paths = readFileTree(bundle.dir).files.map(({ path }) => path);
  });
  afterAll(() => site.remove());

  test('changed in any file of a bundle is detected, and the file is named', () => {
    expect(paths.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.nat(), fc.integer({ min: 1, max: 255 }), (path, where, flip) => {
        const file = join(bundle.dir, path);
        const whole = readFileSync(file);
        const changed = Buffer.from(whole);
        const at = where % whole.length;
        changed[at] = (changed[at] ?? 0) ^ flip;
        writeFileSync(file, changed);
        const verified = verify(bundle.dir);
        writeFileSync(file, whole);
        expect(verified.verdict).toBe('invalid');
        expect(faultsIn(verified)).toContain(path);
      }),
      { numRuns: someRuns(400) },
    );
    expect(verify(bundle.dir).verdict).toBe('verified');
  });
});

describe('a bundle', () => {
  let bundle: Bundle;
  beforeEach(async () => {
    site = sampleSite();
    bundle = await sampleRun(site);
  });
  afterEach(() => site.remove());

  test('that is intact is verified, and every check says what it covered', () => {
    const { verdict, status, run_id, checks } = verify(bundle.dir);
    expect({ verdict, status, run_id }).toEqual({ verdict: 'verified', status: 'pass', run_id: bundle.runId });
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(['manifest', 'chain', 'signature', 'freshness', 'report', 'schema', 'inputs']);
    expect(checks.every(({ detail }) => detail.length > 10)).toBe(true);
  });

  test('is never verified without a trusted key', () => {
    const { verdict, checks } = verifyBundle(bundle.dir, { trusted: [], now: new Date() });
    expect(verdict).toBe('consistent, signer unknown');
    expect(checks.every(({ ok }) => ok)).toBe(true);
  });

  test('with missing, extra or special files is invalid, and each is named', () => {
    rmSync(artifactPath(bundle, 'test.log'));
    writeFileSync(artifactPath(bundle, 'added.txt'), '');
    symlinkSync('/etc/passwd', artifactPath(bundle, 'backend/link'));
    const faults = faultsOf(bundle.dir);
    expect(faults).toContain('test.log is missing');
    expect(faults).toContain('added.txt is not in the manifest');
    expect(faults).toContain('backend/link is neither a regular file nor a directory');
  });

  test('without its seal is invalid if its report says it was sealed', () => {
    rmSync(artifactPath(bundle, 'attestation.json'));
    expect(verify(bundle.dir)).toMatchObject({ verdict: 'invalid', status: 'blocked' });
    expect(faultsOf(bundle.dir)).toContain('attestation.json: is missing');
  });

  test('copied elsewhere is still verified, and reported as a copy', () => {
    const copy = join(site.root, 'elsewhere');
    cpSync(bundle.dir, copy, { recursive: true });
    const { verdict, checks } = verify(copy);
    expect(verdict).toBe('verified');
    expect(checks.at(-1)).toMatchObject({ name: 'directory', ok: true, detail: expect.stringContaining('a copy') });
  });

  test('with files of another run is invalid, and they are named', async () => {
    const other = await sampleRun(site);
    for (const name of ['events.normalized.jsonl', 'attestation.json']) {
      cpSync(artifactPath(other, name), artifactPath(bundle, name));
    }
    const faults = faultsOf(bundle.dir);
    expect(faults).toContain('events.normalized.jsonl was changed');
    expect(faults).toContain('run.started belongs to another run');
    expect(faults).toContain('attestation.json belongs to another run');
  });

  test('resealed with another key is consistent, but not verified', async () => {
    const forger = loadOrCreateKey({ HOME: join(site.root, 'forger') });
    const forged = beginSample(site.runsDir);
    await sealBundle({ bundle: forged, report: fillSample(forged), key: forger, clock: systemClock });
    expect(verify(forged.dir).verdict).toBe('consistent, signer unknown');
  });

  test('is never modified, not even its file times', () => {
    const state = (): unknown =>
      readdirSync(bundle.dir).map((name) => [name, statSync(artifactPath(bundle, name)).ctimeMs]);
    const before = state();
    verify(bundle.dir);
    expect(state()).toEqual(before);
  });

  test('that is unreadable, or not a bundle, gets a verdict and no exception', () => {
    writeFileSync(artifactPath(bundle, 'report.json'), '{');
    expect(verify(bundle.dir)).toMatchObject({ verdict: 'invalid', status: null, run_id: null });
    mkdirSync(join(site.root, 'empty'));
    expect(verify(join(site.root, 'empty')).verdict).toBe('invalid');
    expect(verify(join(site.root, 'absent')).verdict).toBe('invalid');
  });

  test('with the control of another run is invalid', async () => {
    const first = await sampleRun(site, { control: true });
    const second = await sampleRun(site, { control: true });
    expect(verify(first.dir).verdict).toBe('verified');
    rmSync(artifactPath(first, 'baseline'), { recursive: true });
    renameSync(artifactPath(second, 'baseline'), artifactPath(first, 'baseline'));
    expect(faultsOf(first.dir)).toContain('baseline/report.json was changed');
  });
});

/** Reports falsified by their own signer: the files are consistent, but the report contradicts the events. */
describe('a signed report', () => {
  beforeEach(() => {
    site = sampleSite();
  });
  afterEach(() => site.remove());

  const lies: readonly (readonly [string, (report: Report) => Report])[] = [
    [
      'status is fail, but run.completed says pass',
      (r) => ({ ...r, status: 'fail', failure_reason: 'x', blockers: ['x'] }),
    ],
    ['a pass with a failure reason or blockers', (r) => ({ ...r, blockers: ['x'] })],
    ['a pass with disallowed writes', (r) => ({ ...r, allowed_writes_passed: false })],
    ['a pass with disallowed changed files', (r) => ({ ...r, disallowed_writes: ['seatrial.toml'] })],
    ['tests differ from verification.completed', (r) => ({ ...r, tests: { ...r.tests, exit_code: 1 } })],
    ['these expected tests did not: test_more', (r) => ({ ...r, tests: { ...r.tests, expected: ['test_more'] } })],
    ['changed_files differ from git.diff.checked', (r) => ({ ...r, changed_files: [] })],
    ['patch.diff is not the patch named in the report', (r) => ({ ...r, patch: { ...r.patch, bytes: 1 } })],
    ['but the events lack []', (r) => ({ ...r, missing_events: ['plan.updated'] })],
    ['required_events_passed contradicts', (r) => ({ ...r, required_events_passed: false })],
    ['the chain head in report.json', (r) => ({ ...r, freshness: { ...r.freshness, chain_head: r.patch.sha256 } })],
    ['the nonce of run.started', (r) => ({ ...r, freshness: { ...r.freshness, nonce: 'other' } })],
    ['is outside the run', (r) => backdated(r)],
    ['a control, but there is no baseline.completed', (r) => ({ ...r, baseline: control(r) })],
    ['target_conclusion is not what', (r) => ({ ...r, target_conclusion: 'not reachable' })],
    ['stage is not what the events say', (r) => ({ ...r, stage: 5 })],
    ['confinement is not what the events say', (r) => ({ ...r, confinement: null })],
    ['markers is not what the events say', (r) => ({ ...r, markers: ['backend/x.txt'] })],
    ['usage is not what the events say', (r) => ({ ...r, usage: { ...r.usage, cost_usd: 1 } })],
    ['source_admission_status is not what', (r) => ({ ...r, source_admission_status: 'admitted' })],
    ['backend_process_started is not what', (r) => ({ ...r, backend_process_started: true })],
    ['writable_roots is not what', (r) => ({ ...r, writable_roots: { ...r.writable_roots, run_artifact_dir: '/x' } })],
    ['tests is not what the events say', (r) => ({ ...r, tests: { ...r.tests, note: 'all well' } })],
    ['mutation is not what the events say', (r) => ({ ...r, mutation: 'all' })],
    ['proof is not what the events say', (r) => ({ ...r, proof: 'fixed' })],
    ['blocker_codes is not what the events say', (r) => ({ ...r, blocker_codes: ['x'] })],
  ];

  test.each(lies)('that contradicts the events is invalid: %s', async (fault, lie) => {
    const bundle = beginSample(site.runsDir);
    const report = reportSchema.parse(lie(fillSample(bundle)));
    await sealBundle({ bundle, report, key: site.key, clock: systemClock });
    expect(verify(bundle.dir).verdict).toBe('invalid');
    expect(faultsOf(bundle.dir)).toContain(fault);
  });

  test('from the future is invalid', async () => {
    const bundle = await sampleRun(site);
    const now = new Date(Date.now() - 60_000);
    expect(verifyBundle(bundle.dir, { trusted: site.trusted, now })).toMatchObject({ verdict: 'invalid' });
  });

  test('with an artifact of another run is invalid', async () => {
    const bundle = beginSample(site.runsDir);
    const report = fillSample(bundle);
    writeFileSync(artifactPath(bundle, 'eligibility.json'), prettyJson(eligibilityOf('another')));
    await sealBundle({ bundle, report, key: site.key, clock: systemClock });
    expect(faultsOf(bundle.dir)).toBe('schema: eligibility.json belongs to another run');
  });

  const backdated = (r: Report): Report => {
    const started_at = new Date(Date.now() + 3_600_000).toISOString();
    return { ...r, run_started_at: started_at, freshness: { ...r.freshness, started_at } };
  };
  const control = ({ run_id }: Report): Report['baseline'] => ({
    kind: 'oracle',
    run_id: `${run_id}-baseline`,
    status: 'pass',
    paths: {},
    comparison: { same_status: true, same_patch: true, changed_files: {}, tests: null },
  });
  const eligibilityOf = (run_id: string) => ({
    schema_version: 1,
    run_id,
    selected_backend: null,
    denied_backends: [],
    risk_class: 'low',
    required_gates: [],
    allowed_mutation: '',
    reasons: [],
    escalation_path: '',
  });
});
