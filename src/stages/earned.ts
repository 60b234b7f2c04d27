import type { TrustedKey } from '../evidence/keys.ts';
import { buildDigest, newestCheckReport } from './check-report.ts';
import { ADAPTER_SUITE } from './suite-names.ts';

/** Stage 1 is earned by the adapter's checks, done by this very build with nothing wrong; 0: it is not earned. */
export function earnedStage(runsDir: string, key: TrustedKey | null): number {
  const report = newestCheckReport(runsDir, ADAPTER_SUITE, key);
  return report !== null && report.ok && report.build_sha256 === buildDigest() ? 1 : 0;
}
