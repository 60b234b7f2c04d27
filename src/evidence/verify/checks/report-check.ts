import { canonicalJson } from '../../../kernel/canonical.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { frozenTreeOf } from '../../report/frozen-tree.ts';
import { decidingCode } from '../../reasons/explain.ts';
import { addedByContract, CONTRACT_FILE, lacksOracle, missingEvents } from '../../log/required-events.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Report } from '../../schema/report.ts';
import { beforeAfterFaults } from './before-after-check.ts';
import { lastOf } from '../last-event.ts';
import { contentOf, type OpenedBundle } from '../opened.ts';
import { targetFaults } from './targets-check.ts';
import { reducedFaults } from './reduced-check.ts';
import { type VerifyCheck, verifyCheck, type VerifyOptions } from '../types.ts';
import { versionFaults } from './version-check.ts';

/** The report agrees with the events and does not contradict itself. */
export function checkReportAgainstEvents(bundle: OpenedBundle, options: VerifyOptions): VerifyCheck {
  if (!bundle.report.ok) return verifyCheck('report', [`report.json ${bundle.report.fault}`], '');
  const report = bundle.report.value;
  const events = bundle.events.entries;
  const faults = [
    ...versionFaults(report, contentOf(bundle.files, CONTRACT_FILE)),
    ...verdictFaults(report, events),
    ...requiredEventFaults(report, bundle),
    ...testFaults(report, events),
    ...diffFaults(report, bundle),
    ...frozenTreeFaults(report, events),
    ...provisionFaults(report, events),
    ...controlFaults(report, events),
    ...beforeAfterFaults(report, events, lacksOracle(contentOf(bundle.files, CONTRACT_FILE))),
    ...targetFaults(report, bundle),
    ...digestFaults(report, bundle),
    ...reducedFaults(report, bundle, options),
  ];
  return verifyCheck(
    'report',
    faults,
    'verdict, required events, tests, changed files and patch agree with the events',
  );
}

function verdictFaults(report: Report, events: readonly RunEvent[]): readonly string[] {
  const found: string[] = [];
  const completed = events.at(-1);
  if (completed?.type !== 'run.completed') found.push('the last event is not run.completed');
  else {
    const { status, failure_reason, missing_events } = completed.data;
    if (status !== report.status) found.push(`status is ${report.status}, but run.completed says ${status}`);
    if (failure_reason !== report.failure_reason) found.push('failure_reason differs from run.completed');
    if (!same(missing_events, report.missing_events)) found.push('missing_events differ from run.completed');
  }
  if (report.status === 'pass') {
    if (report.failure_reason !== null || report.blockers.length > 0)
      found.push('a pass with a failure reason or blockers');
    if (!report.tests.passed) found.push('a pass without passed tests');
    if (!report.required_events_passed) found.push('a pass without its required events');
    if (report.allowed_writes_passed === false) found.push('a pass with disallowed writes');
    if (report.allowed_writes_passed === null && isConfinedEngine(report))
      found.push('a pass whose writes were not compared');
    if (report.disallowed_writes.length > 0) found.push('a pass with disallowed changed files');
  } else if (report.failure_reason === null || !report.blockers.includes(report.failure_reason)) {
    found.push(`${report.status} without its reason among the blockers`);
  }
  return found;
}

const isConfinedEngine = ({ confinement, backend_process_started: started }: Report): boolean =>
  started && confinement?.kind === 'bubblewrap';

function requiredEventFaults(report: Report, { events, files }: OpenedBundle): readonly string[] {
  const found: string[] = [];
  const seen = events.entries.map(({ type }) => type);
  const missing = missingEvents(seen, addedByContract(contentOf(files, CONTRACT_FILE)));
  if (!same(missing.toSorted(), report.missing_events.toSorted())) {
    found.push(`missing_events are [${report.missing_events.join(', ')}], but the events lack [${missing.join(', ')}]`);
  }
  if (report.required_events_passed !== (report.missing_events.length === 0)) {
    found.push('required_events_passed contradicts missing_events');
  }
  const contract = lastOf(events.entries, 'task.contract.created');
  const digest = contractDigest(contentOf(files, CONTRACT_FILE));
  if (contract !== null && contract.data.task !== report.task) found.push('task differs from task.contract.created');
  if (contract !== null && contract.data.sha256 !== digest) {
    found.push(`${CONTRACT_FILE} is not the contract in task.contract.created`);
  }
  return found;
}

function testFaults(report: Report, events: readonly RunEvent[]): readonly string[] {
  const judged = lastOf(events, 'verification.completed');
  if (judged === null) return report.tests.passed ? ['tests passed, but there is no verification.completed'] : [];
  const { command, passed, exit_code, isolation, tests } = judged.data;
  const stated = report.tests;
  const agree =
    same(
      [command, passed, exit_code, isolation],
      [stated.command, stated.passed, stated.exit_code, stated.isolation],
    ) && same(tests, stated.seen);
  const found = agree ? [] : ['tests differ from verification.completed'];
  const passedIds = new Set(stated.seen.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const silent = stated.expected.filter((id) => !passedIds.has(id));
  if (stated.passed && silent.length > 0)
    found.push(`tests passed, but these expected tests did not: ${silent.join(', ')}`);
  return found;
}

function diffFaults(report: Report, { events, files }: OpenedBundle): readonly string[] {
  const found: string[] = [];
  const checked = lastOf(events.entries, 'git.diff.checked');
  if (checked === null) {
    if (report.changed_files.length > 0) found.push('changed_files, but there is no git.diff.checked');
  } else {
    const { changed_files, disallowed_writes, ignored_files, patch_sha256 } = checked.data;
    if (!same(changed_files, report.changed_files)) found.push('changed_files differ from git.diff.checked');
    if (!same(disallowed_writes, report.disallowed_writes))
      found.push('disallowed_writes differ from git.diff.checked');
    if (!same(ignored_files, report.ignored_files)) found.push('ignored_files differ from git.diff.checked');
    // A run cut off right after its diff may lack its patch file; its report describes what exists.
    const cutOff = decidingCode(report) === 'run_interrupted';
    if (!cutOff && patch_sha256 !== report.patch.sha256) found.push('the patch digest differs from git.diff.checked');
  }
  const patch = files.get(report.patch.path);
  if (patch === undefined) {
    if (report.patch.bytes > 0) found.push(`${report.patch.path} is missing`);
  } else if (patch.sha256 !== report.patch.sha256 || patch.bytes !== report.patch.bytes) {
    found.push(`${report.patch.path} is not the patch named in the report`);
  }
  return found;
}

/** Earlier versions had digests of some artifacts only. */
function digestFaults({ artifacts, digests, digests_elsewhere: elsewhere }: Report, { files }: OpenedBundle): string[] {
  const wrong = Object.entries(digests).filter(([name, digest]) => files.get(artifacts[name] ?? '')?.sha256 !== digest);
  const missing =
    elsewhere === undefined ? [] : Object.keys(artifacts).filter((name) => !(name in digests) && !(name in elsewhere));
  return [
    ...wrong.map(([name]) => `the digest of ${name} is not that of its file`),
    ...missing.map((name) => `there is no digest of ${name}`),
  ];
}

/** Bundles of earlier versions lack this field. */
function frozenTreeFaults({ frozen_tree: stated, status }: Report, events: readonly RunEvent[]): readonly string[] {
  if (stated === undefined) return [];
  const seen = frozenTreeOf(events, '');
  const found = stated.examined === seen.examined ? [] : ['frozen_tree differs from git.diff.checked'];
  if (status === 'pass' && stated.examined !== 'complete') found.push('a pass whose tree was not fully examined');
  return found;
}

function provisionFaults(report: Report, events: readonly RunEvent[]): readonly string[] {
  const completed = lastOf(events, 'provision.completed')?.data ?? null;
  return same(completed, report.provision) ? [] : ['provision differs from provision.completed'];
}

function controlFaults(report: Report, events: readonly RunEvent[]): readonly string[] {
  const completed = lastOf(events, 'baseline.completed');
  if (report.baseline === null) return [];
  if (completed === null) return ['a control, but there is no baseline.completed'];
  const agree = completed.data.run_id === report.baseline.run_id && completed.data.status === report.baseline.status;
  return agree ? [] : ['the control differs from baseline.completed'];
}

/** The event's digest is that of the contract's canonical form. */
function contractDigest(bytes: Buffer | null): string | null {
  try {
    return bytes === null ? null : sha256(canonicalJson(JSON.parse(bytes.toString('utf8'))));
  } catch {
    return null;
  }
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
