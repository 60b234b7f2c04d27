import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLandingRecord } from '../../evidence/bundle/landing-record.ts';
import type { VerifyOptions } from '../../evidence/verify/types.ts';
import { openAndVerify } from '../../evidence/verify/verify-bundle.ts';

/** The question that a person or a policy answers before a branch is delivered. */
export const deliverQuestion = (branch: string): string => `deliver ${branch}`;

/** A change that was merged with a branch, judged there and passed. */
interface Delivered {
  readonly parentRunId: string;
  readonly onto: string;
  readonly judgedIn: string;
}

/** Which runs were delivered, by landing records that a trusted key signed. */
export function readDeliveries(runsDir: string, { trusted }: Pick<VerifyOptions, 'trusted'>): readonly Delivered[] {
  const dir = join(runsDir, 'landings');
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const read = readLandingRecord(readFileSync(join(dir, name)), trusted);
    if (read === null) return [];
    const { name: onto, annotations } = read.subject[0];
    return [{ parentRunId: annotations.parent_run_id, onto, judgedIn: annotations.run_id }];
  });
}

/** Why a passing run does not count as delivered; null: it does. */
export function deliveryFault(
  runId: string,
  kind: 'sandbox' | 'owned',
  deliveries: readonly Delivered[],
  runsDir: string,
  options: VerifyOptions,
): string | null {
  const found = deliveries.find(({ parentRunId }) => parentRunId === runId);
  if (found === undefined) return 'no landing record names it';
  const { verification, bundle } = openAndVerify(join(runsDir, found.judgedIn), options);
  if (verification.verdict !== 'verified' || !bundle.report.ok)
    return `its judgement ${found.judgedIn} is ${verification.verdict}`;
  const { status, landing, parent, approvals } = bundle.report.value;
  if (status !== 'pass' || landing === undefined || parent?.run_id !== runId)
    return `its judgement ${found.judgedIn} does not show that it passes there`;
  if (kind === 'sandbox') return null;
  const asked = deliverQuestion(landing.onto.replace(/^refs\/heads\//, ''));
  return approvals.some(({ action, decision }) => action === asked && decision === 'granted')
    ? null
    : `"${asked}" was not approved`;
}
