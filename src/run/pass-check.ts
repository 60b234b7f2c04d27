import { type AdmissionCheck } from '../admission/checks.ts';
import type { Run } from './steps/state.ts';

/** Records a check's decision; a refusal ends the run before any process of the engine starts. */
export function passCheck(run: Run, check: AdmissionCheck): void {
  const { gate } = check;
  const detail = run.mask.text(check.detail);
  if (check.passed) return void run.log.append('gate.checked', 'harness', { gate, passed: true, reason: null, detail });
  const next = run.mask.text(check.next);
  const { code, text, cause } = check.reason;
  run.log.append('gate.checked', 'harness', { gate, passed: false, reason: text, detail, code, next });
  if (check.marker !== null) run.mark(check.marker, `${detail}\n${next}`);
  if (cause === 'provider') run.log.append('provider.unavailable', 'harness', { detail });
  run.block(check.reason);
}
