import { safeLine } from '../../../evidence/report/render/terminal.ts';
import type { StageSubject, StageTally } from '../../../evidence/stage-records/schema.ts';
import type { Missing } from '../../../stages/decide.ts';
import type { LadderStage } from '../../../stages/ladder.ts';
import type { DescribedStanding, describeStages } from './show.ts';

export const subjectText = ({ engine, executable_sha256: digest, model }: StageSubject): string =>
  [engine, digest === null ? 'no program' : digest.slice(0, 12), model ?? 'no model'].join('  ');

export const tallyText = ({ passed, failed, not_judged, bound }: StageTally): string =>
  `${passed} of ${passed + failed} passed, ${not_judged} not judged, lower bound ${bound.toFixed(3)}`;

export function stageLines({ faults, engines, former }: ReturnType<typeof describeStages>): string[] {
  return [
    ...faults.map((fault) => `FAIL: ${fault}; no stage above 1 counts`),
    ...engines.flatMap(standingLines),
    ...former.flatMap(({ subject, stage, why }) => [subjectText(subject), `  had stage ${stage}; ${why}`]),
    ...(engines.length === 0 ? ['no engine has stages'] : []),
  ].map(safeLine);
}

function standingLines({ subject, stage, name, history, refused, blocks, next }: DescribedStanding): string[] {
  return [
    subjectText(subject),
    `  stage ${stage}${stage === 0 ? ': nothing earned' : `: ${name}`}`,
    ...history.map(({ at, what, by }) => `    ${at}  ${what}, by ${by}`),
    ...refused.map(({ id, why }) => `    does not count: ${id}: ${why}`),
    ...(next === null
      ? ['  there is no further stage; default status is a decision of its own']
      : [
          `  for stage ${next.stage} (${next.name}):${next.grantable ? ` ready to be granted: seatrial stage promote ${subject.engine} --to ${next.stage}` : ''}`,
          ...(next.tally === null ? [] : [`    ${tallyText(next.tally)}`]),
          ...missingLines(next.missing).map((line) => `    ${line}`),
          ...next.batches.flatMap(({ id, open, planned, runs }) => [
            `    batch ${id}: ${planned} runs${open === 0 ? '' : `, ${open} to go`}`,
            ...runs.flatMap(({ run_id: run, outcome, why }) =>
              why === null ? [] : [`      ${outcome.replace('_', ' ')}: ${run}: ${why}`],
            ),
          ]),
        ]),
    ...blocks.map(
      ({ id, stage: needed, document, line }) =>
        `  blocked by the missing proof: ${id}, which needs stage ${needed} (${document}:${line})`,
    ),
  ];
}

export const missingLines = (missing: readonly Missing[]): string[] =>
  missing.flatMap(({ what, next }) => [`missing: ${what}`, `  next: ${next}`]);

export function ladderLines(ladder: readonly LadderStage[]): string[] {
  return ladder.flatMap((stage) => [
    `${stage.number}  ${stage.name}`,
    `   may change  ${stage.mutation}`,
    `   entry       ${stage.entry.join('; ')}`,
    `   validator   ${stage.validator}`,
    `   promotion   ${stage.promotion}`,
    `   refused     ${stage.failureModes.join('; ')}`,
    `   artifacts   ${stage.requiredArtifacts.join(', ')}`,
  ]);
}
