import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { ReasonCatalogue } from '../reasons/reason.ts';
import { type VerifyCheck, verifyCheck, type VerifyOptions } from '../verify/types.ts';
import { verifyAll } from '../verify/verify-all.ts';
import { openComparisonFiles } from './attest.ts';
import { type CountedRuns, countRuns } from './count-runs.ts';
import { readComparisonRuns, type RecordedRun } from './read-runs.ts';
import {
  COMPARISON_ATTESTATION_FILE,
  COMPARISON_FILE,
  PLAN_ATTESTATION_FILE,
  PLAN_FILE,
  readComparisonPlan,
  type ReadPlan,
  runsOf,
} from './store.ts';
import { summarizeComparison } from './summarize.ts';

export interface ComparisonVerification {
  readonly dir: string;
  readonly comparison_id: string;
  readonly verdict: 'verified' | 'consistent, signer unknown' | 'invalid' | 'unfinished';
  readonly checks: readonly VerifyCheck[];
}

/** Checks a comparison offline: its plan, every bundle, that each planned run counts once, and what was made of them. Writes nothing. */
export function verifyComparison(
  directory: string,
  options: VerifyOptions,
  known: ReasonCatalogue,
): ComparisonVerification {
  const dir = resolve(directory);
  const id = basename(dir);
  const read = readOrFault(dir);
  if ('fault' in read) {
    const checks = [verifyCheck('plan', [read.fault], '')];
    return { dir, comparison_id: id, verdict: 'invalid', checks };
  }
  const recorded = readComparisonRuns(dir);
  const counted = countRuns(read.plan, read.planSha256, recorded, known);
  const isResultThere = existsSync(join(dir, COMPARISON_FILE));
  const plan = checkPlan(dir, read, options);
  const runs = checkRuns(dir, options);
  const checks = [
    plan.check,
    runs.check,
    checkPlaces(read, counted, recorded),
    ...(isResultThere ? [checkResult(dir, read, counted, plan.keyid)] : []),
  ];
  const holds = checks.every(({ ok }) => ok);
  const unfinished = !isResultThere || counted.open.length > 0;
  const trusted = plan.trusted && runs.trusted;
  const verdict = !holds ? 'invalid' : unfinished ? 'unfinished' : trusted ? 'verified' : 'consistent, signer unknown';
  return { dir, comparison_id: id, verdict, checks };
}

export interface VerifiedDeclaration extends CountedRuns, ReadPlan {
  /** What is wrong with the plan, its signature or which runs count; empty: nothing. */
  readonly faults: readonly string[];
}

/** The same for the plan and for which runs count, without the bundles. Throws where there is no plan. */
export function verifyDeclaration(dir: string, options: VerifyOptions, known: ReasonCatalogue): VerifiedDeclaration {
  const read = readComparisonPlan(dir);
  const recorded = readComparisonRuns(dir);
  const counted = countRuns(read.plan, read.planSha256, recorded, known);
  const plan = checkPlan(dir, read, options);
  const failed = [plan.check, checkPlaces(read, counted, recorded)].filter(({ ok }) => !ok);
  const unknown = plan.trusted ? [] : ['its plan is signed by a key that is not trusted here'];
  return { ...read, ...counted, faults: [...failed.map(({ detail }) => detail), ...unknown] };
}

function readOrFault(dir: string): ReadPlan | { readonly fault: string } {
  try {
    return readComparisonPlan(dir);
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

function checkPlan(dir: string, { plan, planSha256 }: ReadPlan, { trusted, signer }: VerifyOptions) {
  const opened = openFile(dir, PLAN_ATTESTATION_FILE, 'plan');
  if (!opened.ok)
    return {
      check: verifyCheck('plan', [`${PLAN_ATTESTATION_FILE}: ${opened.fault}`], ''),
      keyid: null,
      trusted: false,
    };
  const faults: string[] = [];
  if (opened.files.get(PLAN_FILE) !== planSha256) faults.push(`${PLAN_FILE} is not the signed one`);
  if (opened.id !== plan.comparison_id) faults.push(`${PLAN_ATTESTATION_FILE} belongs to another comparison`);
  if (signer !== undefined && signer.keyid !== opened.keyid)
    faults.push(`not signed by the given key (${signer.name})`);
  const who = trusted.find(({ keyid }) => keyid === opened.keyid);
  const { engines, tasks, repeat } = plan;
  const size = `${engines.length} × ${tasks.length} × ${repeat}`;
  const by = `key ${opened.keyid.slice(0, 16)}…${who === undefined ? ', which is not trusted' : ` (${who.name})`}`;
  const holds = `${size} runs (engines × tasks × repeats) were declared before the first of them, signed by ${by}`;
  return { check: verifyCheck('plan', faults, holds), keyid: opened.keyid, trusted: who !== undefined };
}

function checkRuns(dir: string, options: VerifyOptions) {
  const { runs, ledger } = verifyAll(runsOf(dir), options);
  const invalid = runs.filter(({ verdict }) => verdict === 'invalid');
  const faults = [
    ...invalid.map(({ dir: run, checks }) => {
      const fault = checks.find(({ ok }) => !ok);
      return `${basename(run)}: ${fault?.name ?? ''}: ${fault?.detail ?? ''}`;
    }),
    ...ledger.filter(({ ok }) => !ok).map(({ detail }) => detail),
  ];
  const check = verifyCheck('runs', faults, `every bundle holds, and the ledger agrees (bundles: ${runs.length})`);
  return { check, trusted: runs.every(({ verdict }) => verdict !== 'consistent, signer unknown') };
}

function checkPlaces({ plan }: ReadPlan, counted: CountedRuns, recorded: readonly RecordedRun[]): VerifyCheck {
  const early = recorded
    .filter(({ report }) => report !== null && report.freshness.started_at < plan.declared_at)
    .map(({ runId }) => `${runId} began before the plan was declared`);
  const interrupted = counted.runs.reduce((sum, run) => sum + run.interrupted.length, 0);
  const repeated = interrupted === 0 ? '' : `; interrupted and repeated: ${interrupted}`;
  const open = counted.open.length === 0 ? '' : `; not run yet: ${counted.open.length}`;
  const holds = `each planned run counts once, as the engine and the task that were planned (${counted.runs.length}${open}${repeated})`;
  return verifyCheck('places', [...counted.faults, ...early], holds);
}

function checkResult(
  dir: string,
  { plan, planSha256 }: ReadPlan,
  { runs }: CountedRuns,
  planKeyid: string | null,
): VerifyCheck {
  const opened = openFile(dir, COMPARISON_ATTESTATION_FILE, 'result');
  if (!opened.ok) return verifyCheck('result', [`${COMPARISON_ATTESTATION_FILE}: ${opened.fault}`], '');
  const faults = [...opened.files].flatMap(([name, digest]) =>
    digestOf(join(dir, basename(name))) === digest ? [] : [`${name} is not the signed one`],
  );
  if (!opened.files.has(COMPARISON_FILE)) faults.push(`${COMPARISON_FILE} is not signed`);
  if (opened.keyid !== planKeyid) faults.push('signed by another key than the plan');
  const derived = prettyJson(summarizeComparison(plan, planSha256, runs));
  if (digestOf(join(dir, COMPARISON_FILE)) !== sha256(derived))
    faults.push(`${COMPARISON_FILE} does not follow from the bundles`);
  return verifyCheck(
    'result',
    faults,
    `rates, intervals and reasons follow from the bundles (${[...opened.files.keys()].join(', ')})`,
  );
}

function openFile(dir: string, name: string, kind: 'plan' | 'result') {
  try {
    return openComparisonFiles(readFileSync(join(dir, name)), kind);
  } catch (error) {
    return { ok: false, fault: messageOf(error) } as const;
  }
}

function digestOf(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}
