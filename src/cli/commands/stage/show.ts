import { allRefusals } from '../../../admission/decide.ts';
import type { StageSubject } from '../../../evidence/stage-records/schema.ts';
import type { BatchFacts, Missing } from '../../../stages/decide.ts';
import { stageNumbered } from '../../../stages/ladder.ts';
import { subjectKey } from '../../../stages/history/replay.ts';
import type { OpenedStages, StagesPlace } from '../../../stages/standing.ts';
import { itemsWaitingForStages, type WaitingItem } from '../../../plans/read.ts';
import { PLAN_RULES } from '../../../plans/rules.ts';
import type { Settings } from '../../environment/settings.ts';
import { rulingFor, type StagedEngine, stagedEngines } from './place.ts';

/** One engine with its program and model of now. */
export type DescribedStanding = ReturnType<typeof describeStanding>;

/** `seatrial stage` as data. Writes nothing. */
export function describeStages(settings: Settings, place: StagesPlace, opened: OpenedStages) {
  const engines = stagedEngines(settings, opened);
  const waiting = itemsWaitingForStages(process.cwd(), PLAN_RULES);
  const now = new Set(engines.map(({ subject }) => subjectKey(subject)));
  return {
    faults: opened.faults,
    engines: engines.map((engine) => describeStanding(engine, place, waiting)),
    /** Programs and models that are not the ones of now. */
    former: [...opened.subjects.values()]
      .filter(({ subject }) => !now.has(subjectKey(subject)))
      .map(({ subject, granted }) => ({
        subject,
        stage: granted,
        why: whyFormer(subject, engines),
      })),
  };
}

function describeStanding(engine: StagedEngine, place: StagesPlace, waiting: readonly WaitingItem[]) {
  const { facts, subject, history } = engine;
  const stage = facts.stage.earned === 0 ? 0 : history.granted;
  const next = stageNumbered(stage + 1);
  const ruling = next === null || next.minimum === null ? null : rulingFor(next, engine, place);
  return {
    subject,
    stage,
    name: stageNumbered(stage)?.name ?? 'none',
    may_change: stageNumbered(stage)?.mutation ?? 'none',
    history: history.steps,
    refused: history.refused,
    /** Work items that need a stage which this engine has not earned. */
    blocks: waiting.filter((item) => item.engine === subject.engine && item.stage > stage),
    next:
      next === null
        ? null
        : {
            stage: next.number,
            name: next.name,
            grantable: ruling?.ruling.grantable ?? false,
            missing: ruling?.ruling.missing ?? firstMissing(engine),
            tally: ruling?.ruling.tally ?? null,
            batches: (ruling?.batches ?? []).map(describeBatch),
          },
  };
}

function describeBatch({ batch, open, runs, undelivered, others }: BatchFacts) {
  return { id: batch.id, declared_at: batch.at, planned: batch.runs, open, runs, undelivered, others };
}

/** Stage 1 is earned by a check. */
function firstMissing({ facts }: StagedEngine): Missing[] {
  const suite = facts.policy?.stage?.earnedBy ?? null;
  const program = allRefusals(facts).filter(({ gate }) => gate === 'executable');
  return [
    ...program.map(({ detail, next }) => ({ what: detail, next })),
    {
      what: "the adapter's checks have not passed with this program and this build",
      next: `seatrial check ${suite ?? '<suite>'}`,
    },
  ];
}

function whyFormer(subject: StageSubject, engines: readonly StagedEngine[]): string {
  const now = engines.find((one) => one.subject.engine === subject.engine)?.subject;
  if (now === undefined) return 'this engine has no stages now';
  if (now.executable_sha256 !== subject.executable_sha256)
    return now.executable_sha256 === null ? 'no program is named now' : 'demoted: the program has changed';
  return now.model === null ? 'no model is named now' : 'demoted: another model is named';
}
