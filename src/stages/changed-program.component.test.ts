import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gatherAdmissionFacts, stageSubjectOf } from '../admission/gather.ts';
import { REQUIRED_STAGE } from '../engines/policy.ts';
import { runsOf } from '../evidence/comparison/store.ts';
import type { StageSubject } from '../evidence/stage-records/schema.ts';
import { sha256, ZERO_DIGEST } from '../kernel/digest.ts';
import { earnedStage } from './earned.ts';
import { readAllowedSigners } from './history/signers.ts';
import { appendRecord } from './history/store.ts';
import type { StagesPlace } from './standing.ts';

let root: string;
let place: StagesPlace;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changed-program-'));
  place = {
    stagesDir: join(root, 'stages'),
    runsDir: join(root, 'runs'),
    env: { HOME: root },
    verify: { trusted: [], now: new Date() },
  };
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, 'key')]);
  mkdirSync(join(root, '.config/seatrial'), { recursive: true });
  const publicKey = readFileSync(join(root, 'key.pub'), 'utf8');
  writeFileSync(join(root, '.config/seatrial/allowed_signers'), `me@example.org ${publicKey}`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** As every command looks at an engine before it does anything. */
function look(program: string): { readonly subject: StageSubject; readonly earned: number } {
  const facts = gatherAdmissionFacts('case', {
    env: { CTO_HARNESS_ALLOW_CASE: '1', CTO_HARNESS_CASE_BIN: program },
    cwd: root,
    admissions: { records: [], faults: [] },
    disabled: [],
    temporary: [],
    modelFor: () => null,
    cacheDir: null,
    earnedStage: (_stage, subject) => earnedStage(place, REQUIRED_STAGE, subject, null),
  });
  return { subject: stageSubjectOf(facts), earned: facts.stage.earned };
}

async function grantStage2(subject: StageSubject): Promise<void> {
  const signers = readAllowedSigners(place.env);
  if (signers === null) throw new Error('no signers');
  const signing = { key: join(root, 'key'), signers };
  const common = { subject, stage: 2, absent: [] };
  const batch = await appendRecord(
    place.stagesDir,
    {
      ...common,
      kind: 'batch',
      at: '2026-01-01T00:00:00.000Z',
      comparison_id: 'compared',
      plan_sha256: ZERO_DIGEST,
      runs: 5,
      sandbox_of: null,
      repeats: null,
    },
    signing,
  );
  const runs = ['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => {
    const dir = join(runsOf(join(place.runsDir, 'compared')), id);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'report.json'), id);
    return { run_id: id, report_sha256: sha256(id), outcome: 'pass', why: null } as const;
  });
  await appendRecord(
    place.stagesDir,
    {
      ...common,
      kind: 'decision',
      action: 'promote',
      at: '2026-01-02T00:00:00.000Z',
      cause: null,
      evidence: [{ batch: batch.record.id, batch_sha256: batch.sha256, plan_sha256: ZERO_DIGEST, runs }],
      tally: null,
    },
    signing,
  );
}

it('one changed byte of the program demotes the engine at the next look, and the old bytes have what they earned', async () => {
  const program = join(root, 'ca');
  const bytes = Buffer.from('#!/bin/sh\necho the program\n');
  writeFileSync(program, bytes, { mode: 0o755 });
  const before = look(program);
  expect([before.subject.executable_sha256, before.earned]).toEqual([sha256(bytes), 1]);
  await grantStage2(before.subject);
  expect(look(program).earned).toBe(2);

  const changed = Buffer.from(bytes);
  changed[12] = (changed[12] ?? 0) ^ 1;
  writeFileSync(program, changed);
  const after = look(program);
  expect([after.subject.executable_sha256, after.earned]).toEqual([sha256(changed), 1]);

  writeFileSync(program, bytes);
  expect(look(program).earned).toBe(2);
});
