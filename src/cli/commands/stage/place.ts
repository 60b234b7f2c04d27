import { Option } from '@commander-js/extra-typings';
import type { AdmissionFacts } from '../../../admission/facts.ts';
import { gatherAdmissionFacts, stageSubjectOf } from '../../../admission/gather.ts';
import { enginesWith, knownEngine } from '../../../engines/list.ts';
import type { StageSubject } from '../../../evidence/stage-records/schema.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { gatherBatch } from '../../../stages/evidence/gather.ts';
import type { SubjectHistory } from '../../../stages/history/replay.ts';
import type { Signing } from '../../../stages/history/store.ts';
import { allowedSignersPath, readAllowedSigners } from '../../../stages/history/signers.ts';
import { decidePromotion, type BatchFacts, type PromotionRuling } from '../../../stages/decide.ts';
import { type LadderStage, stageNumbered, TOP_STAGE } from '../../../stages/ladder.ts';
import { subjectHistory, type OpenedStages, openStages, type StagesPlace } from '../../../stages/standing.ts';
import { callerOf, stagesPlaceOf } from '../../environment/run-environment.ts';
import type { Settings } from '../../environment/settings.ts';
import { wholeNumber } from '../../options.ts';

export const toOption = (text = 'stage, 2 to 6') =>
  new Option('--to <stage>', text).argParser(wholeNumber('--to', 1)).makeOptionMandatory();

export const signOption = () =>
  new Option(
    '--sign-with <key>',
    'SSH key of a person in allowed_signers: a private key file, or a public one whose key an agent holds',
  ).makeOptionMandatory();

/** An engine as it would run now, and what it has earned. */
export interface StagedEngine {
  readonly facts: AdmissionFacts;
  readonly subject: StageSubject;
  readonly history: SubjectHistory;
}

/** Throws a usage error for an engine without stages. */
export function stagedEngine(name: string, settings: Settings, opened: OpenedStages, model?: string): StagedEngine {
  knownEngine(name, settings.acpProfiles);
  const requested = model === undefined ? undefined : { engine: name, name: model };
  const caller = { ...callerOf(settings, process.env, requested), inspectsDisabled: true } as const;
  const facts = gatherAdmissionFacts(name, caller);
  if (facts.policy === null || facts.policy.stage === null)
    throw new SeatrialError(
      'usage',
      `${name} has no stages; \`require_stage = true\` in [engines.${name}] of seatrial.toml gives it some`,
    );
  const subject = stageSubjectOf(facts);
  return { facts, subject, history: subjectHistory(opened, subject) };
}

/** Every engine with stages. */
export function stagedEngines(settings: Settings, opened: OpenedStages): readonly StagedEngine[] {
  const caller = { ...callerOf(settings), inspectsDisabled: true } as const;
  return enginesWith(settings.acpProfiles).flatMap(({ name }) => {
    const facts = gatherAdmissionFacts(name, caller);
    if (facts.policy === null || facts.policy.stage === null) return [];
    const subject = stageSubjectOf(facts);
    return [{ facts, subject, history: subjectHistory(opened, subject) }];
  });
}

export function openStagesNow(settings: Settings): { readonly place: StagesPlace; readonly opened: OpenedStages } {
  const place = stagesPlaceOf(settings);
  return { place, opened: openStages(place, 'verified') };
}

/** What stands between an engine and a stage. */
export function rulingFor(
  stage: LadderStage,
  { facts, history }: StagedEngine,
  place: StagesPlace,
): { readonly ruling: PromotionRuling; readonly batches: readonly BatchFacts[] } {
  const batches = history.batches
    .filter(({ batch }) => batch.stage === stage.number)
    .map(({ batch }) => gatherBatch(batch, { ...place, used: history.used }));
  const earned = facts.stage.earned === 0 ? 0 : history.granted;
  return { ruling: decidePromotion({ stage, earned, batches }), batches };
}

export function stageToEarn(number: number): LadderStage {
  const stage = stageNumbered(number);
  if (stage === null || stage.minimum === null)
    throw new SeatrialError(
      'usage',
      `--to takes a stage from 2 to ${TOP_STAGE}, not ${number}; stage 1 is earned by \`seatrial check\``,
    );
  return stage;
}

/** Throws where no one could sign. */
export function signingWith(key: string): NonNullable<Signing> {
  const signers = readAllowedSigners(process.env);
  if (signers === null)
    throw new SeatrialError(
      'blocked',
      `there is no ${allowedSignersPath(process.env)}, so no stage can be decided; write a line "<you> <public SSH key>" there`,
    );
  return { key, signers };
}
