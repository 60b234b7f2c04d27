import { appendRecord } from './history/store.ts';
import { openStages, subjectHistory, type StagesPlace } from './standing.ts';

/** Writes down what runs have shown, so that it stays known when the runs are pruned. Returns the demotions. */
export async function keepDrift(place: StagesPlace, now: Date): Promise<readonly string[]> {
  const opened = openStages(place, 'compared');
  const kept: string[] = [];
  for (const { subject, what, runId, at } of opened.drifts) {
    const { steps } = subjectHistory(opened, subject);
    if (!steps.some((step) => step.id !== runId && step.at < at && step.stage > 1)) continue;
    await appendRecord(
      place.stagesDir,
      {
        kind: 'decision',
        action: 'demote',
        at: now.toISOString(),
        subject,
        stage: 1,
        cause: `${what} in run ${runId}`,
        evidence: [],
        tally: null,
        absent: [],
      },
      null,
    );
    kept.push(`${subject.engine} is back at stage 1: ${what} in run ${runId}`);
  }
  return kept;
}
