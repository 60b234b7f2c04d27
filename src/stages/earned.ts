import type { AdmissionPolicy } from '../engines/policy.ts';
import { bridgeSuite } from '../engines/self-test.ts';
import type { SigningKey } from '../evidence/bundle/keys.ts';
import type { StageSubject } from '../evidence/stage-records/schema.ts';
import { buildDigest, newestCheckReport } from './check-report.ts';
import { subjectKey } from './history/replay.ts';
import { readHistory } from './history/store.ts';
import { subjectHistory, openStages, type StagesPlace } from './standing.ts';

/**
 * Stage 1 is earned by a passing report of the policy's suite, made by this build with this program (null: any
 * program); without a suite, by admission. 0 if it is not.
 */
function firstStage(
  runsDir: string,
  { earnedBy }: NonNullable<AdmissionPolicy['stage']>,
  executableSha256: string | null,
  key: SigningKey | null,
): 0 | 1 {
  if (earnedBy === null) return 1;
  const report = newestCheckReport(runsDir, earnedBy, executableSha256, key);
  return report !== null && report.ok && report.build_sha256 === buildDigest() ? 1 : 0;
}

/** The highest stage that a subject has: the first by checks, the others by decisions whose evidence is still there. */
export function earnedStage(
  place: StagesPlace,
  stage: NonNullable<AdmissionPolicy['stage']>,
  subject: StageSubject,
  key: SigningKey | null,
): number {
  if (firstStage(place.runsDir, stage, subject.executable_sha256, key) === 0) return 0;
  const history = readHistory(place.stagesDir);
  if (!history.ok) return 1;
  // Checking signatures takes a process each, and most runs are of engines without a history.
  if (!history.records.some(({ record }) => subjectKey(record.subject) === subjectKey(subject))) return 1;
  return subjectHistory(openStages(place, 'compared'), subject).granted;
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
