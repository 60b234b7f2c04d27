import { decidingCode } from '../reasons/explain.ts';
import { isInterruption, reasonClassOf } from '../reasons/reason-class.ts';
import type { ReasonCatalogue } from '../reasons/reason.ts';
import type { ComparedRun, Outcome } from './schema.ts';
import type { Report } from '../schema/report.ts';

export interface Classified {
  readonly outcome: Outcome | 'interrupted';
  readonly reason: ComparedRun['reason'];
}

/**
 * What a run says about its engine. Not judged: a provider, a limit, the set-up or the machine stood in the way. A run that is blocked by what
 * the engine left counts as a fail: an engine must not be able to choose which of its runs are judged.
 */
export function classifyRun(report: Report, known: ReasonCatalogue): Classified {
  const code = decidingCode(report);
  if (report.status === 'pass') return { outcome: 'pass', reason: null };
  if (code === null) return { outcome: 'not_judged', reason: null };
  if (isInterruption(code)) return { outcome: 'interrupted', reason: null };
  const text = report.failure_reason ?? code;
  if (report.status === 'fail') return { outcome: 'fail', reason: { code, class: 'work', text } };
  const named = reasonClassOf(code, known);
  // An engine that never started left nothing.
  const cause = named === 'work' && !report.backend_process_started ? 'setup' : named;
  return { outcome: cause === 'work' ? 'fail' : 'not_judged', reason: { code, class: cause, text } };
}
