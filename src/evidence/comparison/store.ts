import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { compactStamp } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { comparisonPlan, type ComparisonPlan } from './schema.ts';
import { parseBytes } from '../schema/document.ts';
import { makeDirs, replaceFile, syncDir } from '../storage/durable.ts';
import { refuseLinks } from '../storage/no-follow.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { sealComparisonFiles } from './attest.ts';

export const PLAN_FILE = 'plan.json';
export const PLAN_ATTESTATION_FILE = 'plan.attestation.json';
export const COMPARISON_FILE = 'comparison.json';
export const COMPARISON_ATTESTATION_FILE = 'attestation.json';
export const MARKDOWN_FILE = 'comparison.md';
export const HTML_FILE = 'comparison.html';
export const JUNIT_FILE = 'junit.xml';

/** The bundles of a comparison, with a ledger of their own. */
export const runsOf = (dir: string): string => join(dir, 'runs');

/** Makes a directory with a unique name. */
export function createComparisonDir(runsDir: string, now: Date, pid: number): string {
  return reportingWrite(runsDir, () => {
    makeDirs(runsDir);
    refuseLinks(runsDir);
    for (let attempt = 1; ; attempt += 1) {
      const name = `${compactStamp(now)}-compare-${pid}${attempt === 1 ? '' : `-${attempt}`}`;
      try {
        mkdirSync(join(runsDir, name));
        return join(runsDir, name);
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error;
      }
    }
  });
}

/** Durable, signature first: a plan that can be read has one. Returns the digest that every run of the plan names. */
export function writePlan(dir: string, plan: ComparisonPlan, key: HarnessKey): string {
  return reportingWrite(join(dir, PLAN_FILE), () => {
    const bytes = Buffer.from(prettyJson(plan));
    const statement = {
      kind: 'plan',
      id: plan.comparison_id,
      at: plan.declared_at,
      files: [[PLAN_FILE, bytes]],
    } as const;
    replaceFile(join(dir, PLAN_ATTESTATION_FILE), sealComparisonFiles(statement, key));
    replaceFile(join(dir, PLAN_FILE), bytes);
    makeDirs(runsOf(dir));
    syncDir(dir);
    return sha256(bytes);
  });
}

export interface ReadPlan {
  readonly plan: ComparisonPlan;
  readonly planSha256: string;
}

export function readComparisonPlan(dir: string): ReadPlan {
  const path = join(dir, PLAN_FILE);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new SeatrialError('evidence', `cannot read ${path}: ${messageOf(error)}`, error);
  }
  const parsed = parseBytes(bytes, comparisonPlan);
  if (!parsed.ok) throw new SeatrialError('evidence', `${path} was changed or damaged: ${parsed.fault}`);
  return { plan: parsed.value, planSha256: sha256(bytes) };
}

/** Names of the comparisons of a runs directory, oldest first. */
function comparisonNames(runsDir: string): readonly string[] {
  try {
    return readdirSync(runsDir)
      .filter((name) => isComparison(join(runsDir, name)))
      .toSorted();
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw new SeatrialError('usage', `cannot read the runs directory ${runsDir}: ${messageOf(error)}`, error);
  }
}

const isComparison = (dir: string): boolean =>
  existsSync(join(dir, PLAN_FILE)) && existsSync(join(dir, PLAN_ATTESTATION_FILE));

/** Every directory below a runs directory that has bundles in it: itself, and those of its comparisons. */
export const bundleDirs = (runsDir: string): readonly string[] => [
  runsDir,
  ...comparisonNames(runsDir).map((name) => runsOf(join(runsDir, name))),
];

/** Finds a comparison by its id, a unique beginning of it, or its path; `last` is the newest. Null: there is none. */
export function findComparison(runsDir: string, wanted: string): string | null {
  const names = comparisonNames(runsDir);
  const matching =
    wanted === 'last' ? names.slice(-1) : names.filter((name) => wanted !== '' && name.startsWith(wanted));
  const match = names.find((name) => name === wanted) ?? (matching.length === 1 ? matching[0] : undefined);
  if (match !== undefined) return join(resolve(runsDir), match);
  if (matching.length > 1)
    throw new SeatrialError(
      'usage',
      `"${wanted}" matches ${matching.length} comparisons (${matching.slice(0, 5).join(', ')}); give more of the id`,
    );
  return wanted !== '' && isComparison(wanted) ? realpathSync(wanted) : null;
}

/** The same, and an error that says what there is. */
export function requireComparison(runsDir: string, wanted: string): string {
  const found = findComparison(runsDir, wanted);
  if (found !== null) return found;
  const names = comparisonNames(runsDir);
  const there =
    names.length === 0
      ? 'there is none yet'
      : `there are ${names
          .slice(-5)
          .map((name) => basename(name))
          .join(', ')}`;
  const what = wanted === 'last' ? 'no comparison' : `no comparison "${wanted}"`;
  throw new SeatrialError('usage', `${what} in ${runsDir}; ${there}`);
}
