import type { Report } from '../../evidence/schema/report.ts';

/** The message line that identifies a commit of this run. */
export const attestationLine = (sha256: string): string => `Seatrial-Attestation: sha256:${sha256}`;

export interface CommitFacts {
  readonly instruction: string;
  readonly runId: string;
  /** Digest of the bundle's attestation. */
  readonly attestation: string;
  /** Why the commit is not proven by a trusted harness; empty: it is. */
  readonly unproven: readonly string[];
  /** Changed files of the base that had no vote and are not part of the commit. */
  readonly leftOut: readonly string[];
  /** Files without a vote that are part of it all the same. */
  readonly withTests: readonly string[];
}

const SUBJECT_LENGTH = 72;

export function commitMessage({ instruction, runId, attestation, unproven, leftOut, withTests }: CommitFacts): string {
  const [first = '', ...rest] = instruction.trim().split('\n');
  const isLong = first.length > SUBJECT_LENGTH;
  const subject = isLong ? `${first.slice(0, SUBJECT_LENGTH - 1)}…` : first;
  const body = [subject, ...(isLong ? ['', first] : []), ...rest].join('\n').trim();
  const trailers = [
    `Seatrial-Run: ${runId}`,
    attestationLine(attestation),
    ...unproven.map((why) => `Seatrial-Status: unproven (${why})`),
    ...leftOut.map((path) => `Seatrial-Left-Out: ${path}`),
    ...withTests.map((path) => `Seatrial-No-Vote: ${path}`),
  ];
  return `${body}\n\n${trailers.join('\n')}\n`;
}

export interface BundleStanding {
  readonly report: Pick<Report, 'status' | 'failure_reason'>;
  /** The key that signed the bundle, if it is not trusted here. */
  readonly unknownSigner: string | null;
}

/** Short reasons why a bundle proves nothing here. */
export function whyUnproven({ report, unknownSigner }: BundleStanding): readonly string[] {
  return [
    ...(report.status === 'pass' ? [] : [(report.failure_reason ?? report.status).replaceAll(/\s+/g, ' ')]),
    ...(unknownSigner === null ? [] : [`signer unknown: key ${unknownSigner.slice(0, 16)}…`]),
  ];
}

/** Why a merged tree is never proven, even if its patch is. */
export const mergedInto = (head: string): string => `merged into ${head.slice(0, 12)}; the merged tree was not judged`;
