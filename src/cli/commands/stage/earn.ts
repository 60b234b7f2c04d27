import { join } from 'node:path';
import { readComparisonPlan } from '../../../evidence/comparison/store.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { LadderStage } from '../../../stages/ladder.ts';
import { damaged, type Signing } from '../../../stages/history/store.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import type { StageBatch } from '../../../evidence/stage-records/schema.ts';
import type { Settings } from '../../environment/settings.ts';
import { declareBatch, type DeclareFlags } from './declare.ts';
import { promote, type Promotion } from './decide-stage.ts';
import { openStagesNow, stagedEngine, stageToEarn } from './place.ts';
import { runBatch, type RunBatchFlags } from './run-batch.ts';

/** Goes up to a stage again, by the batches that were declared for an earlier program or model. Stops at the first that is not granted. */
export async function earnAgain(
  engine: string,
  { number: to }: LadderStage,
  settings: Settings,
  signing: NonNullable<Signing>,
  flags: RunBatchFlags & { readonly model?: string | undefined },
): Promise<readonly Promotion[]> {
  const { opened } = openStagesNow(settings);
  if (opened.faults.length > 0) throw damaged(settings.stages, opened.faults);
  const { history, facts } = stagedEngine(engine, settings, opened, flags.model);
  if (facts.stage.earned === 0)
    throw new SeatrialError('blocked', `${engine} has not earned stage 1: \`seatrial stage\` says how`);
  const batches = opened.records.flatMap(({ record }) =>
    record.kind === 'batch' && record.subject.engine === engine ? [record] : [],
  );
  const done: Promotion[] = [];
  for (let number = history.granted + 1; number <= to; number += 1) {
    const stage = stageToEarn(number);
    const model = batches.findLast((batch) => batch.stage === number);
    if (model === undefined)
      throw new SeatrialError(
        'usage',
        `no batch was ever declared for stage ${number} of ${engine}; declare one with \`seatrial stage declare ${engine} --to ${number}\``,
      );
    process.stderr.write(`${safeLine(`stage ${number}: repeating ${model.id}`)}\n`);
    const batch = await declareBatch(engine, stage, flagsOf(model, settings, flags.model), settings, signing, model.id);
    await runBatch(batch, settings, flags);
    const promotion = await promote(engine, stage, settings, signing, flags.model);
    done.push(promotion);
    if (!promotion.granted) break;
  }
  return done;
}

/** What was declared then, to be declared again. */
function flagsOf(batch: StageBatch, { runs }: Settings, model: string | undefined): DeclareFlags {
  const { plan } = readComparisonPlan(join(runs, batch.comparison_id));
  const [first] = plan.tasks;
  const common = { repeat: plan.repeat, timeout: plan.agent_timeout_sec ?? undefined, model };
  if (first?.source.kind === 'repository') {
    const { kind: _kind, mutation: _scope, ...asked } = first.source;
    return { ...common, ...asked, repo: batch.sandbox_of ?? asked.repo };
  }
  const paths = plan.tasks.flatMap(({ source }) => (source.kind === 'directory' ? [source.path] : []));
  return { ...common, commit: 'HEAD', tasks: paths.join(',') };
}
