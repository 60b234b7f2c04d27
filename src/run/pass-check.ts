import type { AdmissionCheck, RefusedCheck } from '../admission/checks.ts';
import { denyEligibility } from './steps/eligibility.ts';
import type { Run } from './steps/state.ts';

/** Records the decisions of checks; the first refusal ends the run before any process of the engine starts. */
export function passEach(run: Run, checks: readonly AdmissionCheck[]): void {
  const { log, mask } = run;
  for (const check of checks) {
    if (!check.passed) refuse(run, check);
    const { gate, detail } = check;
    log.append('gate.checked', 'harness', { gate, passed: true, reason: null, detail: mask.text(detail) });
  }
}

function refuse(run: Run, check: RefusedCheck): never {
  const { gate, marker } = check;
  const { code, text, cause } = check.reason;
  const detail = run.mask.text(check.detail);
  const next = run.mask.text(check.next);
  run.log.append('gate.checked', 'harness', { gate, passed: false, reason: text, detail, code, next });
  denyEligibility(run, check);
  if (marker !== null) run.mark(marker, `${detail}\n${next}`);
  if (cause === 'provider') run.log.append('provider.unavailable', 'harness', { detail });
  run.block(check.reason);
}
