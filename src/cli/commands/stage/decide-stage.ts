import { join } from 'node:path';
import { loadOrCreateKey } from '../../../evidence/bundle/keys.ts';
import type { StageDecision } from '../../../evidence/stage-records/schema.ts';
import { RESULT_SUFFIX } from '../../../evidence/verification-result/seal-result.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { PromotionRuling } from '../../../stages/decide.ts';
import { stageResult } from '../../../stages/history/stage-result.ts';
import { appendRecord, damaged, type Signing } from '../../../stages/history/store.ts';
import { keepDrift } from '../../../stages/keep-drift.ts';
import type { LadderStage } from '../../../stages/ladder.ts';
import { stagesPlaceOf } from '../../environment/run-environment.ts';
import type { Settings } from '../../environment/settings.ts';
import { openStagesNow, rulingFor, stagedEngine } from './place.ts';

export type Promotion =
  | {
      readonly granted: true;
      readonly decision: StageDecision;
      readonly ruling: PromotionRuling;
      /** File with the statement for others. */
      readonly statement: string;
    }
  | { readonly granted: false; readonly ruling: PromotionRuling };

/** Grants a stage, if its evidence is there and a person signs. The evidence is verified again here and now. */
export async function promote(
  engine: string,
  stage: LadderStage,
  settings: Settings,
  signing: NonNullable<Signing>,
  model?: string,
): Promise<Promotion> {
  await keepDrift(stagesPlaceOf(settings), new Date());
  const { place, opened } = openStagesNow(settings);
  if (opened.faults.length > 0) throw damaged(settings.stages, opened.faults);
  const staged = stagedEngine(engine, settings, opened, model);
  const { ruling, batches } = rulingFor(stage, staged, place);
  if (!ruling.grantable) return { granted: false, ruling };
  const digests = new Map(staged.history.batches.map(({ batch, sha256 }) => [batch.id, sha256]));
  const { record } = await appendRecord(
    settings.stages,
    {
      kind: 'decision',
      action: 'promote',
      at: place.verify.now.toISOString(),
      subject: staged.subject,
      stage: stage.number,
      cause: null,
      evidence: batches.map(({ batch, runs }) => ({
        batch: batch.id,
        batch_sha256: digests.get(batch.id) ?? '',
        plan_sha256: batch.plan_sha256,
        runs: [...runs],
      })),
      tally: ruling.tally,
      absent: batches.flatMap(({ batch }) => batch.absent),
    },
    signing,
    stageResult(loadOrCreateKey(process.env)),
  );
  if (record.kind !== 'decision') throw new Error('a decision was written as another record');
  const statement = join(settings.stages, 'decisions', `${record.id}${RESULT_SUFFIX}`);
  return { granted: true, decision: record, ruling, statement };
}

/** Takes stages back. */
export async function demote(
  engine: string,
  to: number,
  why: string,
  settings: Settings,
  signing: NonNullable<Signing>,
  model?: string,
): Promise<StageDecision> {
  if (why.trim() === '') throw new SeatrialError('usage', '--reason must not be empty');
  const { opened } = openStagesNow(settings);
  if (opened.faults.length > 0) throw damaged(settings.stages, opened.faults);
  const { subject, history } = stagedEngine(engine, settings, opened, model);
  if (to < 1 || to >= history.granted)
    throw new SeatrialError('usage', `${engine} has stage ${history.granted}; --to takes a lower one`);
  const { record } = await appendRecord(
    settings.stages,
    {
      kind: 'decision',
      action: 'demote',
      at: new Date().toISOString(),
      subject,
      stage: to,
      cause: why,
      evidence: [],
      tally: null,
      absent: [],
    },
    signing,
  );
  if (record.kind !== 'decision') throw new Error('a decision was written as another record');
  return record;
}
