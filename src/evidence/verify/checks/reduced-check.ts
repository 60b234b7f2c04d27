import { canonicalJson } from '../../../kernel/canonical.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { decidingCode } from '../../reasons/explain.ts';
import { readContractFacts } from '../../report/contract-facts.ts';
import { interruptedReport } from '../../report/initial.ts';
import { reduceReport } from '../../report/reduce.ts';
import type { EventData } from '../../schema/events.ts';
import type { Report } from '../../schema/report.ts';
import { lastOf } from '../last-event.ts';
import { contentOf, type OpenedBundle } from '../opened.ts';
import type { VerifyOptions } from '../types.ts';

/** Not in the events: the manifest, the freshness check and checks of their own cover them. */
const FROM_ELSEWHERE = ['artifacts', 'digests', 'digests_elsewhere', 'freshness', 'frozen_tree'];
/** Of a run that was cut off, recovery tells when it was last seen and which patch file it left. */
const FROM_RECOVERY = ['run_ended_at', 'duration_ms', 'patch'];

/** Not every report has them, and they are no engine's own. */
const OPTIONAL_FIELDS = new Set([
  'proof',
  'fixed',
  'base_record',
  'deciding',
  'judged_commit',
  'parent',
  'landing',
  'attempt',
  'previous_run',
  'work_item',
  'target_conclusion',
]);

/** Derives the report from the events again and names every field that differs. The events of version 1 lack some of the facts. */
export function reducedFaults(report: Report, bundle: OpenedBundle, options: ReducedOptions): string[] {
  const started = lastOf(bundle.events.entries, 'run.started')?.data;
  if (report.schema_version === 1) return [];
  if (started === undefined) return ['there is no run.started'];
  const again = reduceReport({
    born: interruptedReport(identityOf(report, started)),
    events: bundle.events.entries,
    contract: readContractFacts(contentOf(bundle.files, CONTRACT_FILE)),
    engineFields: options.engineFields?.(started.engine),
    notExamined: '',
  });
  const skipped = new Set([
    ...FROM_ELSEWHERE,
    // Earlier versions kept it in the contract alone.
    ...(report.work_item === undefined ? ['work_item'] : []),
    ...(decidingCode(report) === 'run_interrupted' ? FROM_RECOVERY : []),
    // Without the engines' own fields there is nothing to compare them with.
    ...(options.engineFields === undefined
      ? Object.keys(report).filter((key) => !(key in again) && !OPTIONAL_FIELDS.has(key))
      : []),
  ]);
  const derived = new Map<string, unknown>(Object.entries(again));
  const stated = new Map<string, unknown>(Object.entries(report));
  return [...new Set([...stated.keys(), ...derived.keys()])]
    .filter((key) => !skipped.has(key) && !isSame(stated.get(key), derived.get(key)))
    .map((key) => `${key} is not what the events say`);
}

type ReducedOptions = Pick<VerifyOptions, 'engineFields'>;

function identityOf(report: Report, { run_id, nonce, engine, started_at }: EventData<'run.started'>) {
  return {
    runId: run_id,
    dir: report.run_dir,
    task: report.task,
    engine,
    nonce,
    startedAt: started_at,
    ledgerHeadAtStart: report.freshness.ledger_head_at_start,
  };
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);
