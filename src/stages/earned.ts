import type { TrustedKey } from '../evidence/bundle/keys.ts';
import { buildDigest, newestCheckReport } from './check-report.ts';
import { ADAPTER_SUITE } from './suite-names.ts';

/** Stage 1 is earned by the adapter's checks, done by this very build with this very program (null: with any) and nothing wrong; 0: it is not earned. */
export function earnedStage(runsDir: string, executableSha256: string | null, key: TrustedKey | null): number {
  const report = newestCheckReport(runsDir, ADAPTER_SUITE, executableSha256, key);
  return report !== null && report.ok && report.build_sha256 === buildDigest() ? 1 : 0;
}
