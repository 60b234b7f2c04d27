import { sign, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../evidence/storage/durable.ts';
import type { HarnessKey, SigningKey } from '../evidence/bundle/keys.ts';
import { checkReportSchema, type CheckReport } from '../evidence/schema/check-report.ts';
import { canonicalJson, prettyJson } from '../kernel/canonical.ts';
import { sha256 } from '../kernel/digest.ts';
import { packageRoot } from '../kernel/package-root.ts';

const CHECK_FILE = 'check.json';

/** Identifies this build: the entry file names the bundle by its digest. */
export function buildDigest(): string {
  return sha256(readFileSync(join(packageRoot(), 'dist', 'seatrial.js')));
}

export function keepCheckReport(
  dir: string,
  body: Omit<CheckReport, 'schema_version' | 'keyid' | 'signature'>,
  key: HarnessKey,
): CheckReport {
  const signed = { schema_version: 1 as const, ...body, keyid: key.keyid };
  const signature = sign(null, Buffer.from(canonicalJson(signed)), key.privateKey).toString('base64');
  const report = { ...signed, signature };
  replaceFile(join(dir, CHECK_FILE), Buffer.from(prettyJson(report)));
  return report;
}

/**
 * The newest report of a suite about a program in a runs directory, or null. A newest report that cannot be read, or
 * that another key signed, could have said anything, so older ones do not count either.
 */
export function newestCheckReport(
  runsDir: string,
  suite: string,
  executableSha256: string | null,
  key: SigningKey | null,
): CheckReport | null {
  if (key === null) return null;
  const dirs = namesIn(runsDir).filter((name) => name.includes(`-check-${suite}-`));
  for (const name of dirs.toSorted().toReversed()) {
    const path = join(runsDir, name, CHECK_FILE);
    if (!existsSync(path)) continue; // still running, interrupted, or part of the suite
    const report = readCheckReport(path, key);
    if (report?.suite !== suite) return null;
    if (executableSha256 === null || report.executable_sha256 === executableSha256) return report;
  }
  return null;
}

function readCheckReport(path: string, key: SigningKey): CheckReport | null {
  try {
    const report = checkReportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return isSignedBy(report, key) ? report : null;
  } catch {
    return null;
  }
}

/** Whether this key signed a report. */
export function isSignedBy(report: CheckReport, { keyid, publicKey }: SigningKey): boolean {
  const { signature, ...signed } = report;
  const bytes = Buffer.from(canonicalJson(signed));
  return report.keyid === keyid && verify(null, bytes, publicKey, Buffer.from(signature, 'base64'));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
