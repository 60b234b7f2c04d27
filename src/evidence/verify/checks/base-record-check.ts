import { canonicalJson } from '../../../kernel/canonical.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { BASE_RECORD_FILE, baseRecord } from '../../schema/base-record.ts';
import { lastOf } from '../last-event.ts';
import { parseBytes } from '../../schema/document.ts';
import { contentOf, type OpenedBundle } from '../opened.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

/**
 * The control of a change to a repository is the record of its base: it must be the one that the report and the events name, and the
 * tests that the change was held against must be its tests, but for those that are said to have no vote.
 */
export function checkBaseRecord(bundle: OpenedBundle): readonly VerifyCheck[] {
  const report = bundle.report.ok ? bundle.report.value : null;
  if (report?.base_record === undefined) return [];
  const bytes = contentOf(bundle.files, BASE_RECORD_FILE);
  if (report.base_record === null)
    return report.status === 'pass' ? [verifyCheck('base record', ['a pass without a record of the base'], '')] : [];
  if (bytes === null) return [verifyCheck('base record', [`${BASE_RECORD_FILE} is missing`], '')];
  const record = parseBytes(bytes, baseRecord);
  if (!record.ok) return [verifyCheck('base record', [`${BASE_RECORD_FILE} ${record.fault}`], '')];
  const recorded = lastOf(bundle.events.entries, 'base.recorded')?.data;
  const judged = lastOf(bundle.events.entries, 'change.judged')?.data;
  const held = lastOf(bundle.events.entries, 'baseline.completed')?.data.tests;
  const removed = judged?.removed ?? [];
  const unheard = new Set([...(judged?.flaky ?? []), ...removed]);
  const fileOf = new Map(record.value.tests.map(({ id, file }) => [id, file]));
  const allowed = new Set(judged?.allowed ?? []);
  const known = new Map(record.value.tests.map(({ id, outcome }) => [id, outcome]));
  const heard = new Set((held ?? []).map(({ id }) => id));
  const found = [
    ...(sha256(bytes) === report.base_record.sha256 ? [] : ['it is not the record that the report names']),
    ...(recorded?.sha256 === report.base_record.sha256 ? [] : ['it is not the record that base.recorded names']),
    ...((held ?? []).every(({ id, outcome }) => known.get(id) === outcome)
      ? []
      : ['the change was held against other tests']),
    ...(held === undefined ||
    [...known].every(([id, outcome]) => heard.has(id) || unheard.has(id) || outcome !== 'passed')
      ? []
      : ['a test of the record was left out without being flaky']),
    ...(removed.every((id) => allowed.has(fileOf.get(id) ?? ''))
      ? []
      : ['a test was removed from a file that was not allowed']),
    ...(judged === undefined ||
    canonicalJson([report.status === 'pass' ? judged.proof : null, judged.fixed]) ===
      canonicalJson([report.proof ?? null, report.fixed ?? []])
      ? []
      : ['proof and fixed tests differ from change.judged']),
    ...(report.proof === 'fixed' && (report.fixed ?? []).some((id) => known.get(id) === 'passed')
      ? ['a test that passed on the base is said to be fixed']
      : []),
    ...(report.status === 'pass' && (report.proof ?? null) === null ? ['a pass without a proof'] : []),
  ];
  const failing = record.value.tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length;
  return [
    verifyCheck(
      'base record',
      found,
      `${record.value.tests.length} tests of the base, ${failing} failing, are those that the change was held against`,
    ),
  ];
}
