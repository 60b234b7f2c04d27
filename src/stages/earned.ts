import type { AdmissionPolicy } from '../engines/policy.ts';
import { bridgeSuite } from '../engines/self-test.ts';
import type { SigningKey } from '../evidence/bundle/keys.ts';
import { buildDigest, newestCheckReport } from './check-report.ts';

/**
 * Stage 1 is earned by a passing report of the policy's suite, made by this build with this program (null: any
 * program). 0 if no stage is earned.
 */
export function earnedStage(
  runsDir: string,
  { earnedBy }: NonNullable<AdmissionPolicy['stage']>,
  executableSha256: string | null,
  key: SigningKey | null,
): number {
  const report = newestCheckReport(runsDir, earnedBy, executableSha256, key);
  return report !== null && report.ok && report.build_sha256 === buildDigest() ? 1 : 0;
}

/** A bridge is shown by a passing report of its suite, made by this build with this program. */
export function isBridgeProven(
  runsDir: string,
  provider: string,
  executableSha256: string | null,
  key: SigningKey | null,
): boolean {
  const report = newestCheckReport(runsDir, bridgeSuite(provider), executableSha256, key);
  return report !== null && report.ok && report.build_sha256 === buildDigest();
}
