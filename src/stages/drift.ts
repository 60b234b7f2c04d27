import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { REPORT_FILE } from '../evidence/bundle/bundle.ts';
import { runNames } from '../evidence/bundle/runs.ts';
import { runsOf } from '../evidence/comparison/store.ts';
import { parseBytes } from '../evidence/schema/document.ts';
import { compactStamp } from '../kernel/clock.ts';
import type { Drift } from './history/replay.ts';

/** Reasons of a run that show that the model is not the one that earned a stage. One observation is enough: each is a fact, not a rate. */
const DRIFT_CODES: Readonly<Record<string, string>> = {
  other_model_answered: 'another model answered',
  other_model_served: 'another model is served',
  response_shape_unavailable: 'another response shape',
};

const seen = z.looseObject({
  run_id: z.string(),
  run_started_at: z.string(),
  backend: z.string(),
  blockers: z.array(z.string()),
  blocker_codes: z.optional(z.array(z.string())),
  executable: z.nullable(z.looseObject({ sha256: z.string() })),
  model: z.nullable(z.looseObject({ provider: z.string(), name: z.string() })),
});

/** Pure: what a report shows, for whoever ran; null: nothing of the kind. */
function driftIn(report: z.infer<typeof seen>): Drift | null {
  const codes = report.blocker_codes ?? [];
  const at = codes.findIndex((code) => Object.hasOwn(DRIFT_CODES, code));
  const what = DRIFT_CODES[codes[at] ?? ''];
  if (what === undefined) return null;
  const { backend, executable, model } = report;
  return {
    subject: {
      engine: backend,
      executable_sha256: executable?.sha256 ?? null,
      model: model === null ? null : `${model.provider}/${model.name}`,
    },
    at: report.run_started_at,
    what: `${what}: ${report.blockers[at] ?? what}`,
    runId: report.run_id,
  };
}

/** What runs since a time have shown, in a runs directory and in these comparisons of it. Writes nothing. */
export function readDrifts(runsDir: string, comparisons: readonly string[], since: string): readonly Drift[] {
  const from = compactStamp(new Date(since));
  const dirs = [
    ...runNames(runsDir).flatMap((name) => (name >= from ? [join(runsDir, name)] : [])),
    ...comparisons.flatMap((id) => {
      const dir = runsOf(join(runsDir, id));
      return runNames(dir).flatMap((name) => (name >= from ? [join(dir, name)] : []));
    }),
  ];
  return dirs.flatMap((dir) => {
    const parsed = parseBytes(readFileSync(join(dir, REPORT_FILE)), seen);
    const drift = parsed.ok ? driftIn(parsed.value) : null;
    return drift === null ? [] : [drift];
  });
}
