import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { createControlBundle, writeArtifact } from '../bundle/create.ts';
import { artifactPath, type Bundle } from '../bundle/bundle.ts';
import { EVENTS_FILE, EventLog, readEvents } from '../log/events.ts';
import type { ExamineTree } from './finish.ts';
import { ledgerPath, readLedger } from '../bundle/ledger.ts';
import { liveRunIds, type ProcessTable, systemProcesses } from '../bundle/running.ts';
import { recoverRuns, type Recovery } from './recover.ts';
import { listRuns, readRun } from '../bundle/runs.ts';
import {
  beginSample,
  fillSample,
  sampleRun,
  type SampleSite,
  sampleSite,
  sealSample,
} from '../bundle/sample-bundle.fixture.ts';
import { commitReport, recordRun, writeAttestation, writeManifest, writePendingReport } from '../bundle/seal.ts';
import { verifyAll } from '../verify/verify-all.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';

let site: SampleSite;
beforeEach(() => {
  site = sampleSite();
});
afterEach(() => site.remove());

/** A process table in which all runs' processes have died. */
const allProcessesDead: ProcessTable = {
  bootId: systemProcesses.bootId,
  pidNamespace: systemProcesses.pidNamespace,
  startedOf: () => null,
};

const recover = (examine?: ExamineTree): Promise<readonly Recovery[]> =>
  recoverRuns(site.runsDir, {
    key: site.key,
    clock: systemClock,
    processes: allProcessesDead,
    ...(examine === undefined ? {} : { examine }),
  });
const verify = (dir: string) => verifyBundle(dir, { trusted: site.trusted, now: new Date() });

/** The steps of sealing; a run can be killed after each. */
const SEAL_STEPS = ['nothing', 'artifacts', 'pending report', 'manifest', 'attestation', 'commit', 'ledger'] as const;

async function sealUpTo(bundle: Bundle, last: (typeof SEAL_STEPS)[number]): Promise<void> {
  const reached = (step: (typeof SEAL_STEPS)[number]): boolean => SEAL_STEPS.indexOf(step) <= SEAL_STEPS.indexOf(last);
  if (!reached('artifacts')) return;
  const report = fillSample(bundle);
  if (!reached('pending report')) return;
  const pending = writePendingReport(bundle, report, systemClock.now());
  if (!reached('manifest')) return;
  const listed = await writeManifest(bundle);
  if (!reached('attestation')) return;
  writeAttestation(bundle, pending, listed, site.key);
  if (!reached('commit')) return;
  commitReport(bundle);
  if (reached('ledger')) await recordRun(bundle.runsDir, systemClock, pending.report, listed.sha256);
}

test.each(SEAL_STEPS)(
  'killed after %s: never an unproven pass, and recovery completes it exactly once',
  async (step) => {
    const bundle = beginSample(site.runsDir);
    await sealUpTo(bundle, step);
    const committed = step === 'commit' || step === 'ledger';
    expect(readRun(bundle.dir, allProcessesDead)).toMatchObject(
      committed
        ? { state: 'sealed', report: { status: 'pass' } }
        : { state: 'interrupted', report: { status: 'blocked' } },
    );
    expect(verify(bundle.dir).verdict).toBe(committed ? 'verified' : 'unsealed');

    const did = { commit: 'recorded', ledger: 'cleaned' }[step as string] ?? 'sealed';
    expect(await recover()).toMatchObject([{ run_id: bundle.runId, did }]);
    expect(verify(bundle.dir)).toMatchObject({ verdict: 'verified', status: committed ? 'pass' : 'blocked' });
    expect(verifyAll(site.runsDir, { trusted: site.trusted, now: new Date() }).ok).toBe(true);
    expect(readLedger(site.runsDir)).toHaveLength(1);
    expect(liveRunIds(site.runsDir)).toEqual([]);
    expect(await recover()).toEqual([]);
    expect(readLedger(site.runsDir)).toHaveLength(1);
  },
);

test('a lost ledger gets every sealed run again, and each of them once', async () => {
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await sampleRun(site)).runId);
  rmSync(ledgerPath(site.runsDir));
  expect((await recover()).map(({ run_id: runId, did }) => [runId, did])).toEqual(
    ids.toSorted().map((runId) => [runId, 'recorded']),
  );
  expect(readLedger(site.runsDir)).toHaveLength(3);
  expect(await recover()).toEqual([]);
});

test('keeps the events of an interrupted run, their half-written end, and its uncommitted verdict', async () => {
  const bundle = beginSample(site.runsDir);
  await sealUpTo(bundle, 'pending report');
  const before = readEvents(artifactPath(bundle, EVENTS_FILE));
  const uncommitted = readFileSync(artifactPath(bundle, 'report.json.tmp'), 'utf8');
  appendFileSync(artifactPath(bundle, EVENTS_FILE), '{"data":{"te');
  await recover();
  const after = readEvents(artifactPath(bundle, EVENTS_FILE));
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1)?.data).toMatchObject({ status: 'blocked', failure_reason: 'run interrupted' });
  expect(readFileSync(artifactPath(bundle, 'events.torn'), 'utf8')).toBe('{"data":{"te');
  expect(readFileSync(artifactPath(bundle, 'report.uncommitted.json'), 'utf8')).toBe(uncommitted);
  expect(readRun(bundle.dir).report).toMatchObject({ changed_files: ['strings.py'], tests: { passed: true } });
  expect(verify(bundle.dir).verdict).toBe('verified');
});

test('takes the exit of the engine and the number of model requests from the events', async () => {
  const bundle = beginSample(site.runsDir);
  const { runId: run_id, nonce, engine, startedAt: started_at, startedMono } = bundle;
  const log = new EventLog(artifactPath(bundle, EVENTS_FILE), { clock: systemClock, startedMono });
  log.append('run.started', 'harness', { run_id, nonce, engine, started_at });
  log.append('backend.started', 'harness', { argv: ['ca'] });
  for (const http_status of [200, 500])
    log.append('model.request', 'harness', { provider: 'qwen-local', model: 'qwen', http_status });
  log.append('backend.timeout', 'harness', { after_ms: 4000, marker: 'backend/provider-timeout.txt' });
  log.close();
  await recover();
  expect(readRun(bundle.dir).report).toMatchObject({
    backend_process_started: true,
    backend_completion: 'timed_out',
    backend_exit_code: 124,
    usage: { requests: 2 },
  });
  expect(verify(bundle.dir).verdict).toBe('verified');
});

test('finishes an interrupted control with its run', async () => {
  const bundle = beginSample(site.runsDir);
  const control = createControlBundle(bundle, { engine: 'fake', clock: systemClock, nonce: 'c' });
  await recover();
  expect(verify(bundle.dir)).toMatchObject({ verdict: 'verified', status: 'blocked' });
  expect(readRun(control.dir)).toMatchObject({ state: 'sealed', report: { status: 'blocked' } });
});

test('leaves a running run alone', async () => {
  const bundle = beginSample(site.runsDir);
  const before = readFileSync(artifactPath(bundle, 'report.json'));
  const done = await recoverRuns(site.runsDir, { key: site.key, clock: systemClock });
  expect(done).toEqual([]);
  expect(readFileSync(artifactPath(bundle, 'report.json'))).toEqual(before);
  expect(readdirSync(bundle.dir)).toEqual(['report.json']);
  expect(liveRunIds(site.runsDir)).toEqual([bundle.runId]);
});

test('a reused pid, or one from before a reboot, does not count as alive', () => {
  const bundle = beginSample(site.runsDir);
  expect(readRun(bundle.dir).state).toBe('running');
  expect(readRun(bundle.dir, { ...allProcessesDead, startedOf: () => '1' }).state).toBe('interrupted');
  const { startedOf } = systemProcesses;
  expect(readRun(bundle.dir, { ...allProcessesDead, startedOf, bootId: 'another' }).state).toBe('interrupted');
  expect(readRun(bundle.dir, { ...allProcessesDead, pidNamespace: 'another' }).state).toBe('running');
});

test('removes scratch directories of dead runs, and no other directory', async () => {
  const ours = join(site.root, 'seatrial-0123abcd');
  const foreign = join(site.root, 'seatrial-precious');
  for (const scratch of [ours, foreign]) {
    mkdirSync(scratch);
    writeFileSync(join(scratch, 'file'), '');
    beginSample(site.runsDir, scratch);
  }
  const done = await recover();
  expect(existsSync(ours)).toBe(false);
  expect(existsSync(join(foreign, 'file'))).toBe(true);
  expect(done.filter(({ did }) => did === 'left')).toMatchObject([{ detail: expect.stringContaining('precious') }]);
});

test('does not record a sealed run that was changed', async () => {
  const bundle = beginSample(site.runsDir);
  await sealUpTo(bundle, 'commit');
  appendFileSync(artifactPath(bundle, 'patch.diff'), 'x');
  expect(await recover()).toMatchObject([{ did: 'left', detail: 'not in the ledger, and its bundle is invalid' }]);
  expect(readLedger(site.runsDir)).toEqual([]);
});

test('does not seal a run again that the ledger records as sealed', async () => {
  const bundle = beginSample(site.runsDir);
  const born = readFileSync(join(bundle.dir, 'report.json'));
  await sealUpTo(bundle, 'ledger');
  writeFileSync(join(bundle.dir, 'report.json'), born);
  const detail = expect.stringContaining('it was changed');
  expect(await recover()).toEqual([{ run_id: bundle.runId, did: 'left', detail }]);
  expect(readLedger(site.runsDir).filter((entry) => entry.kind === 'run')).toHaveLength(1);
});

test('changes nothing in a missing or healthy runs directory', async () => {
  expect(await recover()).toEqual([]);
  expect(existsSync(site.runsDir)).toBe(false);
  await sampleRun(site);
  await sealSample(site, beginSample(site.runsDir));
  expect(await recover()).toEqual([]);
  expect(listRuns(site.runsDir)).toMatchObject([{ state: 'sealed' }, { state: 'sealed' }]);
});

test('removes the partial files of a run that died while being created', async () => {
  const live = join(site.runsDir, '.live');
  mkdirSync(join(live, '20260101T000000Z-t-1.new'), { recursive: true });
  writeFileSync(join(live, '20260101T000000Z-t-1.json.4711.tmp'), '{');
  writeFileSync(join(live, '20260101T000000Z-t-1.draft-1'), '{');
  await recover();
  expect(readdirSync(live)).toEqual([]);
});

describe('the tree that an engine left', () => {
  const PATCH = 'diff --git a/a b/a\n';
  const checked = {
    changed_files: ['a'],
    disallowed_writes: [],
    ignored_files: [],
    patch_sha256: sha256(PATCH),
    faults: [],
  };

  /** A run that was killed while its engine was working. */
  function killedAtWork(scratch: string | null = null): Bundle {
    const bundle = beginSample(site.runsDir, scratch);
    const { runId: run_id, nonce, engine, startedAt: started_at, startedMono } = bundle;
    const log = new EventLog(artifactPath(bundle, EVENTS_FILE), { clock: systemClock, startedMono });
    log.append('run.started', 'harness', { run_id, nonce, engine, started_at });
    log.append('backend.started', 'harness', { argv: ['ca'] });
    log.close();
    return bundle;
  }

  test('is examined once, and its changes are part of the sealed bundle', async () => {
    const bundle = killedAtWork();
    const examine: ExamineTree = (of) => {
      writeArtifact(of, 'patch.diff', PATCH);
      return Promise.resolve({ kind: 'examined', checked });
    };
    expect(await recover(examine)).toMatchObject([{ detail: expect.stringContaining('1 changed file kept') }]);
    expect(readRun(bundle.dir).report).toMatchObject({
      changed_files: ['a'],
      frozen_tree: { examined: 'complete', detail: null },
      patch: { bytes: PATCH.length },
    });
    expect(verify(bundle.dir).verdict).toBe('verified');
    expect(await recover(() => Promise.reject(new Error('asked again')))).toEqual([]);
  });

  test('that cannot be examined is reported as such, and an unrecorded patch is moved aside', async () => {
    const bundle = killedAtWork();
    writeArtifact(bundle, 'patch.diff', 'half a pat');
    await recover(() => Promise.resolve({ kind: 'not examined', why: 'it is gone' }));
    expect(readRun(bundle.dir).report).toMatchObject({
      changed_files: [],
      frozen_tree: { examined: 'no', detail: 'it is gone' },
      patch: { bytes: 0 },
    });
    expect(readFileSync(artifactPath(bundle, 'unfinished.patch.diff'), 'utf8')).toBe('half a pat');
    expect(verify(bundle.dir).verdict).toBe('verified');
  });

  test('that a later attempt could examine is kept, with everything needed for it', async () => {
    const scratch = join(site.root, 'seatrial-0123abcd');
    mkdirSync(scratch);
    const bundle = killedAtWork(scratch);
    const later: ExamineTree = () => Promise.resolve({ kind: 'postponed', why: 'a key is missing' });
    const left = [{ run_id: bundle.runId, did: 'left', detail: 'a key is missing' }];
    expect(await recover(later)).toEqual(left);
    expect(await recover(later)).toEqual(left);
    expect(existsSync(scratch)).toBe(true);
    expect(readRun(bundle.dir, allProcessesDead).state).toBe('interrupted');
    expect(await recover()).toMatchObject([{ did: 'sealed' }]);
    expect([existsSync(scratch), liveRunIds(site.runsDir)]).toEqual([false, []]);
  });

  test('of an engine that was not started is not examined', async () => {
    const bundle = beginSample(site.runsDir);
    await recover(() => Promise.reject(new Error('asked')));
    expect(readRun(bundle.dir).report?.frozen_tree).toEqual({ examined: 'no', detail: 'the engine was not started' });
  });
});
