import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../kernel/digest.ts';
import { systemCode } from '../../../kernel/errors.ts';
import { REPORT_FILE } from '../../bundle/bundle.ts';
import { parseBytes } from '../../schema/document.ts';
import { report as reportSchema, type Report } from '../../schema/report.ts';
import { contentOf, type OpenedBundle } from '../opened.ts';
import { readContractFacts } from '../../report/contract-facts.ts';
import { CONTRACT_FILE } from '../../log/required-events.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/** A further attempt follows the run that it names. A bundle that was copied elsewhere alone cannot show that, and says so. */
export function checkPreviousAttempt(dir: string, { report, files }: OpenedBundle): readonly VerifyCheck[] {
  const stated = report.ok ? report.value : null;
  const previous = stated?.previous_run;
  if (stated === null || (previous === undefined && stated.attempt === undefined)) return [];
  const name = 'attempts';
  if (previous === undefined || stated.attempt === undefined)
    return [verifyCheck(name, ['attempt and previous_run do not belong together'], '')];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(previous.run_id))
    return [verifyCheck(name, ['previous_run is not the id of a run'], '')];
  const bytes = readReport(join(dirname(dir), previous.run_id));
  if (bytes === null) {
    const detail = `attempt ${stated.attempt}; the attempt before it, ${previous.run_id}, is not beside it and was not compared`;
    return [{ name, ok: true, detail }];
  }
  const faults =
    sha256(bytes) === previous.report_sha256
      ? orderFaults(stated, bytes, wasHeld(contentOf(files, CONTRACT_FILE)))
      : [`the report of ${previous.run_id} is not the one that this attempt names`];
  return [verifyCheck(name, faults, `attempt ${stated.attempt} follows ${previous.run_id}`)];
}

/** `land --retry` follows a run that passed and was held. */
const wasHeld = (contract: Buffer | null): boolean =>
  readContractFacts(contract)?.attempt?.earlier.at(-1)?.status === 'held';

function orderFaults(stated: Report, bytes: Buffer, held: boolean): string[] {
  const parsed = parseBytes(bytes, reportSchema);
  if (!parsed.ok) return [`the report of the previous attempt cannot be read (${parsed.fault})`];
  const { task, backend, status, attempt = 1, freshness } = parsed.value;
  return [
    ...(attempt + 1 === stated.attempt ? [] : [`the previous attempt is number ${attempt}`]),
    ...(task === stated.task && backend === stated.backend ? [] : ['the previous attempt had another task or engine']),
    ...(status === 'pass' && !held ? ['the previous attempt passed'] : []),
    ...((freshness.sealed_at ?? '~') <= stated.freshness.started_at
      ? []
      : ['the previous attempt was not sealed before this one started']),
  ];
}

/** Null: there is none, or it cannot be read. */
function readReport(dir: string): Buffer | null {
  try {
    return readFileSync(join(dir, REPORT_FILE));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null;
  }
}
