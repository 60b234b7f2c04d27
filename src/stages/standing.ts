import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_FILE } from '../evidence/bundle/bundle.ts';
import type { Environment } from '../evidence/bundle/keys.ts';
import { runsOf } from '../evidence/comparison/store.ts';
import type { StageDecision, StageSubject } from '../evidence/stage-records/schema.ts';
import type { VerifyOptions } from '../evidence/verify/types.ts';
import { verifyBundle } from '../evidence/verify/verify-bundle.ts';
import { sha256 } from '../kernel/digest.ts';
import { messageOf } from '../kernel/errors.ts';
import { readDrifts } from './drift.ts';
import type { KeptRecord } from './history/chain.ts';
import {
  type Drift,
  type ExaminedRecord,
  newSubject,
  replayStages,
  type SubjectHistory,
  subjectKey,
} from './history/replay.ts';
import { checkFileSignature, type SignerCheck } from './history/signature.ts';
import { type AllowedSigners, readAllowedSigners } from './history/signers.ts';
import { readHistory, recordPath } from './history/store.ts';

export interface StagesPlace {
  readonly stagesDir: string;
  readonly runsDir: string;
  readonly env: Environment;
  readonly verify: VerifyOptions;
}

export interface OpenedStages {
  /** Why nothing counts; empty: the history holds. */
  readonly faults: readonly string[];
  readonly records: readonly ExaminedRecord[];
  readonly subjects: ReadonlyMap<string, SubjectHistory>;
  readonly drifts: readonly Drift[];
  readonly signers: AllowedSigners | null;
}

const NOTHING: OpenedStages = { faults: [], records: [], subjects: new Map(), drifts: [], signers: null };

/**
 * What every engine has been granted, by its history and by what its runs have shown since. `bundles`: whether the evidence is verified
 * again as a whole, or only compared with the digests that were signed. Writes nothing.
 */
export function openStages(place: StagesPlace, bundles: 'verified' | 'compared'): OpenedStages {
  const history = readHistory(place.stagesDir);
  if (!history.ok) return { ...NOTHING, faults: history.faults };
  let signers: AllowedSigners | null;
  try {
    signers = readAllowedSigners(place.env);
  } catch (error) {
    return { ...NOTHING, faults: [messageOf(error)] };
  }
  if (history.records.length === 0) return { ...NOTHING, signers };
  const records = history.records.map((kept): ExaminedRecord => ({
    ...kept,
    signature: signatureOf(kept, place, signers),
    evidenceFault: evidenceFaultOf(kept, history.records, place, bundles),
  }));
  const drifts = newDrifts(records, place);
  return { faults: [], records, drifts, signers, subjects: replayStages(records, drifts) };
}

export function subjectHistory({ subjects }: OpenedStages, subject: StageSubject): SubjectHistory {
  return subjects.get(subjectKey(subject)) ?? newSubject(subject);
}

function signatureOf(kept: KeptRecord, { stagesDir }: StagesPlace, signers: AllowedSigners | null): SignerCheck {
  const { record } = kept;
  if (record.signers_sha256 === null) return { ok: false, fault: 'it is not signed' };
  return checkFileSignature(recordPath(stagesDir, kept), record.at, signers);
}

function evidenceFaultOf(
  { record }: KeptRecord,
  all: readonly KeptRecord[],
  place: StagesPlace,
  bundles: 'verified' | 'compared',
): string | null {
  if (record.kind !== 'decision') return null;
  for (const { batch, batch_sha256: digest, runs } of record.evidence) {
    const named = all.find(({ record: { id } }) => id === batch);
    if (named?.record.kind !== 'batch' || named.sha256 !== digest)
      return `its batch ${batch} is missing or was changed`;
    const dir = runsOf(join(place.runsDir, named.record.comparison_id));
    for (const run of runs) {
      const fault = runFaultOf(join(dir, run.run_id), run, place, bundles);
      if (fault !== null) return `its evidence ${run.run_id} ${fault}`;
    }
  }
  return null;
}

type EvidenceRun = StageDecision['evidence'][number]['runs'][number];

function runFaultOf(
  dir: string,
  { report_sha256: digest, outcome }: EvidenceRun,
  { verify }: StagesPlace,
  bundles: 'verified' | 'compared',
): string | null {
  try {
    if (sha256(readFileSync(join(dir, REPORT_FILE))) !== digest) return 'was changed';
  } catch {
    return 'is gone';
  }
  if (bundles === 'compared' || outcome !== 'pass') return null;
  const { verdict, checks } = verifyBundle(dir, verify);
  if (verdict === 'verified') return null;
  return `is ${verdict}: ${checks.find(({ ok }) => !ok)?.detail ?? 'its signer is not trusted'}`;
}

/** What runs have shown since the first promotion, but for what a decision already names. */
function newDrifts(records: readonly ExaminedRecord[], { runsDir }: StagesPlace): readonly Drift[] {
  const first = records.find(({ record }) => record.kind === 'decision' && record.action === 'promote');
  if (first === undefined) return [];
  const comparisons = records.flatMap(({ record }) => (record.kind === 'batch' ? [record.comparison_id] : []));
  const causes = records.flatMap(({ record }) => (record.kind === 'decision' ? (record.cause ?? []) : []));
  return readDrifts(runsDir, comparisons, first.record.at).filter(
    ({ runId }) => !causes.some((cause) => cause.includes(runId)),
  );
}
