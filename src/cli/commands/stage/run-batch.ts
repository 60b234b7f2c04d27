import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporary } from '../../../evidence/bundle/temporary.ts';
import { runsOf } from '../../../evidence/comparison/store.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { BatchFacts } from '../../../stages/decide.ts';
import { gatherBatch } from '../../../stages/evidence/gather.ts';
import { damaged } from '../../../stages/history/store.ts';
import { stageNumbered } from '../../../stages/ladder.ts';
import { deliverQuestion } from '../../../stages/evidence/deliveries.ts';
import { deliverRun, deliveryBranch } from '../../../stages/routes/deliver.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { decideApproval } from '../../../run/approvals/decide.ts';
import type { RunEnvironment } from '../../../run/request.ts';
import type { StageBatch } from '../../../evidence/stage-records/schema.ts';
import { subjectHistory, openStages } from '../../../stages/standing.ts';
import { keepDrift } from '../../../stages/keep-drift.ts';
import { createRunEnvironment, stagesPlaceOf } from '../../environment/run-environment.ts';
import type { Settings } from '../../environment/settings.ts';
import { dirsOfSettings } from '../../run-source.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { executeComparison } from '../compare/execute.ts';
import { examineRun, repositoryOf } from '../land/examine-run.ts';
import { landPorts } from '../land/ports.ts';

export interface RunBatchFlags {
  readonly jobs: number;
  readonly approvals?: string | undefined;
  readonly json?: true | undefined;
}

/** A declared batch by its id or a beginning of it; without one, the newest. */
export function findBatch(settings: Settings, wanted: string | undefined): StageBatch {
  const { records, faults } = openStages(stagesPlaceOf(settings), 'compared');
  if (faults.length > 0) throw damaged(settings.stages, faults);
  const batches = records.flatMap(({ record }) => (record.kind === 'batch' ? [record] : []));
  const matching = wanted === undefined ? batches.slice(-1) : batches.filter(({ id }) => id.startsWith(wanted));
  const [found, second] = matching;
  if (found !== undefined && second === undefined) return found;
  if (second !== undefined)
    throw new SeatrialError('usage', `"${wanted}" matches ${matching.length} batches; give more of the id`);
  throw new SeatrialError(
    'usage',
    wanted === undefined
      ? 'no batch is declared; declare one with `seatrial stage declare`'
      : `no batch "${wanted}" in ${settings.stages}`,
  );
}

/** Runs what is left of a batch, delivers what its stage delivers, and says how it stands. */
export async function runBatch(batch: StageBatch, settings: Settings, flags: RunBatchFlags): Promise<BatchFacts> {
  const hidden = batch.sandbox_of === null ? [] : [batch.sandbox_of];
  await executeComparison(join(settings.runs, batch.comparison_id), { ...flags, hidden });
  // Opened afterwards: bundles are verified against the time of now.
  const place = stagesPlaceOf(settings);
  const used = subjectHistory(openStages(place, 'compared'), batch.subject).used;
  const gathered = gatherBatch(batch, { ...place, used });
  if (gathered.undelivered.length > 0) await deliverAll(gathered, settings, flags);
  for (const line of await keepDrift(place, new Date())) process.stderr.write(`note: ${safeLine(line)}\n`);
  return gatherBatch(batch, { ...stagesPlaceOf(settings), used });
}

/** Before anything is judged: what may not be delivered would leave a bundle each time. Says so. */
function isDenied(runId: string, { approvals, ask }: RunEnvironment): boolean {
  const branch = deliveryBranch(runId);
  const ruling = decideApproval({ from: 'task', action: deliverQuestion(branch) }, approvals, ask !== null);
  if (ruling.decision !== 'denied') return false;
  const { text } = reason('landing_not_approved', { branch, how: ruling.how });
  process.stderr.write(`${safeLine(`${runId}: ${text}`)}\n`);
  return true;
}

async function deliverAll({ batch, undelivered }: BatchFacts, settings: Settings, flags: RunBatchFlags): Promise<void> {
  const kind = stageNumbered(batch.stage)?.delivery ?? null;
  if (kind === null) return;
  const environment = createRunEnvironment(settings, {
    confine: 'bubblewrap',
    ...(flags.approvals === undefined ? {} : { approvals: flags.approvals }),
  });
  const signal = interruptible();
  const scratch = makeTemporary('deliver');
  try {
    for (const { run: runId } of undelivered) {
      if (signal.aborted) return;
      if (kind === 'owned' && isDenied(runId, environment)) continue;
      const dir = join(runsOf(join(settings.runs, batch.comparison_id)), runId);
      const { unproven: _none, ...examined } = examineRun(dir, {});
      const { repo, base } = repositoryOf(examined.contract, undefined);
      const route = { kind, repo, guardedDirs: dirsOfSettings(repo, {}) };
      const place = mkdtempSync(join(scratch, 'run-'));
      const ports = landPorts(environment, repo, signal, flags.json);
      const outcome = await deliverRun({ ...examined, base }, route, ports, place);
      if (outcome.outcome === 'held')
        for (const { text } of outcome.reasons) process.stderr.write(`${safeLine(`${runId}: ${text}`)}\n`);
    }
  } finally {
    await removeTree(scratch);
  }
}
