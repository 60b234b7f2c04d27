import type { RunLog } from '../../evidence/log/run-log.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { AdmissionCheck, RefusedCheck } from './check.ts';

/** Records decisions up to the first refusal, which it gives; null if all passed. */
export function recordChecks(
  { log, mask }: { readonly log: RunLog; readonly mask: Masker },
  checks: readonly AdmissionCheck[],
): RefusedCheck | null {
  for (const check of checks) {
    const { gate } = check;
    const detail = mask.text(check.detail);
    if (check.passed) {
      log.append('gate.checked', 'harness', { gate, passed: true, reason: null, detail });
    } else {
      const { code, text } = check.reason;
      const next = mask.text(check.next);
      log.append('gate.checked', 'harness', { gate, passed: false, reason: text, detail, code, next });
      return check;
    }
  }
  return null;
}
