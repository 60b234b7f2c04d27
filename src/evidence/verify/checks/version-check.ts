import { isChangeToRepository } from '../../log/required-events.ts';
import type { Report } from '../../schema/report.ts';

/**
 * What a report of its version must say. Version 1 was written before these fields existed or while they came one by one, so any of
 * them may be absent: a control that lacks `no_longer_reported` counted lost tests as newly failing and did not decide by them, and
 * a change to a repository was judged by the test files that it left. Version 2 has all of them.
 */
export function versionFaults(report: Report, contract: Buffer | null): readonly string[] {
  if (report.schema_version === 1) return [];
  const isPass = report.status === 'pass';
  const compared = report.baseline?.comparison.tests ?? null;
  const missing = [
    ...(report.frozen_tree === undefined ? ['frozen_tree'] : []),
    ...(report.blocker_codes?.length === report.blockers.length ? [] : ['blocker_codes']),
    ...(compared !== null && compared.no_longer_reported === undefined ? ['no_longer_reported'] : []),
    ...(isPass && isChangeToRepository(contract) ? repositoryFieldsMissing(report) : []),
  ];
  return missing.map((field) => `a report of version 2 without ${field}`);
}

function repositoryFieldsMissing({ proof, fixed, base_record: record, deciding }: Report): readonly string[] {
  return [
    ...(proof === undefined || proof === null ? ['proof'] : []),
    ...(fixed === undefined ? ['fixed'] : []),
    ...(record === undefined || record === null ? ['base_record'] : []),
    ...(deciding === undefined || deciding === null ? ['deciding'] : []),
  ];
}
