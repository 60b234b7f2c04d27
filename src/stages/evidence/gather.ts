import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runsOf } from '../../evidence/comparison/store.ts';
import type { ComparedRun } from '../../evidence/comparison/schema.ts';
import { summarizeComparison } from '../../evidence/comparison/summarize.ts';
import { verifyDeclaration } from '../../evidence/comparison/verify.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import type { CountedRun, StageBatch } from '../../evidence/stage-records/schema.ts';
import { CONTRACT_FILE } from '../../evidence/log/required-events.ts';
import type { VerifyOptions } from '../../evidence/verify/types.ts';
import { openAndVerify } from '../../evidence/verify/verify-bundle.ts';
import { ALL_REASONS } from '../../engines/list.ts';
import { messageOf } from '../../kernel/errors.ts';
import { contract as contractSchema } from '../../task/contract.ts';
import type { BatchFacts } from '../decide.ts';
import { type LadderStage, stageNumbered } from '../ladder.ts';
import { deliveryFault, readDeliveries } from './deliveries.ts';
import { evidenceRefusal, type StageClaim } from './refusal.ts';

export interface EvidencePlace {
  /** The runs directory around the comparisons. */
  readonly runsDir: string;
  readonly verify: VerifyOptions;
  /** Runs that decisions have counted. */
  readonly used: ReadonlySet<string>;
}

/** A batch as its bundles tell it now: every one is verified. What cannot be shown counts as failed. */
export function gatherBatch(batch: StageBatch, place: EvidencePlace): BatchFacts {
  const dir = join(place.runsDir, batch.comparison_id);
  const stage = stageNumbered(batch.stage);
  const worthless = (why: string): BatchFacts => ({
    batch,
    open: 0,
    runs: Array.from({ length: batch.runs }, () => failed(batch.comparison_id, why)),
    undelivered: [],
    others: [],
  });
  if (stage === null) return worthless('there is no such stage');
  if (!existsSync(dir)) return worthless('its runs are gone');
  try {
    const { plan, planSha256, runs, open, faults } = verifyDeclaration(dir, place.verify, ALL_REASONS);
    if (planSha256 !== batch.plan_sha256) return worthless('its plan is not the declared one');
    if (plan.stage !== batch.stage) return worthless('its plan was not made for this stage');
    if (faults.length > 0) return worthless(faults.join('; '));
    const label = plan.engines.find(({ engine }) => engine === batch.subject.engine)?.label;
    const claim: StageClaim = {
      stage,
      subject: batch.subject,
      planSha256,
      declaredAt: batch.at,
      usedBefore: place.used,
      now: place.verify.now,
    };
    const own = runs.filter(({ engine }) => engine === label).map((run) => countedRun(run, dir, claim, place.verify));
    const summary = summarizeComparison(plan, planSha256, runs);
    return {
      batch,
      open: open.length,
      runs: own,
      undelivered: undelivered(own, stage, place),
      others: summary.engines
        .filter(({ engine }) => engine !== label)
        .map(({ engine, interval }) => ({
          engine: plan.engines.find((one) => one.label === engine)?.engine ?? engine,
          label: engine,
          interval,
        })),
    };
  } catch (error) {
    return worthless(messageOf(error));
  }
}

const failed = (runId: string, why: string): CountedRun => ({
  run_id: runId,
  report_sha256: '0'.repeat(64),
  outcome: 'fail',
  why,
});

/** A run that was not judged is left out by the reason that it ended with, never by anyone's judgement. */
function countedRun(run: ComparedRun, dir: string, claim: StageClaim, options: VerifyOptions): CountedRun {
  const { run_id, report_sha256, outcome, reason } = run;
  const { verification, bundle } = openAndVerify(join(runsOf(dir), run_id), options);
  const parsed = parseBytes(bundle.files.get(CONTRACT_FILE)?.content ?? '', contractSchema);
  if (!bundle.report.ok || !parsed.ok) return { ...failed(run_id, 'tampered or unverifiable'), report_sha256 };
  const bad = verification.checks.find(({ ok }) => !ok);
  const verified = { ok: verification.verdict === 'verified', detail: bad?.detail ?? verification.verdict };
  const why = evidenceRefusal({ report: bundle.report.value, contract: parsed.value, verified }, claim);
  if (why === null) return { run_id, report_sha256, outcome: 'pass', why: null };
  const isExcluded = verified.ok && outcome === 'not_judged';
  return {
    run_id,
    report_sha256,
    outcome: isExcluded ? 'not_judged' : 'fail',
    why: isExcluded ? (reason?.text ?? why) : why,
  };
}

function undelivered(
  runs: readonly CountedRun[],
  { delivery }: LadderStage,
  place: EvidencePlace,
): BatchFacts['undelivered'] {
  if (delivery === null) return [];
  const deliveries = readDeliveries(place.runsDir, place.verify);
  return runs
    .filter(({ outcome }) => outcome === 'pass')
    .flatMap(({ run_id: run }) => {
      const why = deliveryFault(run, delivery, deliveries, place.runsDir, place.verify);
      return why === null ? [] : [{ run, why }];
    });
}
