import { SeatrialError } from '../../kernel/errors.ts';
import { type Reason, reasonTexts } from './reason.ts';

/** An error that blocks a run. The first reason decides; the others say more about it. */
export class Refused extends SeatrialError {
  readonly reasons: readonly Reason[];

  constructor(reasons: Reason | readonly Reason[], cause?: unknown) {
    const all = 'code' in reasons ? [reasons] : reasons;
    super('blocked', reasonTexts(all).join('; '), cause);
    this.reasons = all;
  }
}
