import type { RefusedCheck } from '../admission/checks/check.ts';
import { denyEligibility } from './steps/eligibility.ts';
import type { Run } from './steps/state.ts';

/** Ends the run before any process of the engine starts, if a check refused it. */
export function endIfRefused(run: Run, refused: RefusedCheck | null): void {
  if (refused === null) return;
  const { marker, reason } = refused;
  const detail = run.mask.text(refused.detail);
  denyEligibility(run, refused);
  if (marker !== null) run.log.mark(marker, `${detail}\n${run.mask.text(refused.next)}`);
  if (reason.cause === 'provider') run.log.append('provider.unavailable', 'harness', { detail });
  run.block(reason);
}
