import { join } from 'node:path';
import type { RunIdentity } from '../report/initial.ts';

export const REPORT_FILE = 'report.json';
export const CONTROL_DIR = 'baseline';

/** An open run directory. Its full state is in its files. */
export interface Bundle extends RunIdentity {
  /** `clock.mono()` when the run started. */
  readonly startedMono: number;
  readonly runsDir: string;
  /**
   * A control is stored and sealed inside its run's bundle; only the run is registered as running and in the ledger.
   */
  readonly kind: 'run' | 'control';
}

export function artifactPath(bundle: Bundle, name: string): string {
  return join(bundle.dir, name);
}
