import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { compareTests } from '../../../evidence/report/before-after.ts';
import type { Report, TestRecord, Tool } from '../../../evidence/schema/report.ts';
import { pathText } from '../../../kernel/path-text.ts';
import type { Contract, Judging } from '../../../task/contract.ts';
import { isFailing, reportsNothing } from '../change/compare.ts';
import { withSealedTests } from '../change/sealed-tests.ts';
import type { ChangeResult } from '../change/judge-change.ts';
import { type ChangeVerdict, judgeRepositoryChange } from '../change/verdict.ts';
import { pathNameBytes } from '../deciding/path-name.ts';
import type { JudgeResult } from '../types.ts';
import { BASE_RECORD_FILE, type BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { BaseControl } from '../../control/record-base.ts';
import type { Patched } from '../../steps/diff.ts';
import { approvedFiles } from '../../approvals/deciding.ts';
import { leaveQuestions } from '../../steps/approvals.ts';
import { isolationOf, noteOnChange } from './change-note.ts';
import { recordVerification } from '../results/record-verification.ts';
import { testLog } from '../results/test-log.ts';
import { installerFor } from '../../provision/changed/install.ts';
import type { Provisioned } from '../../provision/provision.ts';
import { provisionEnvironment } from '../../steps/provision.ts';
import type { Run, RunSandbox } from '../../steps/state.ts';

const plain = ({ id, outcome }: TestRecord): TestRecord => ({ id, outcome });

/** Lets the tests of the base speak about a change to a repository, and writes down who had a vote. */
export async function judgeRepositoryPatch(
  run: Run,
  contract: Contract,
  judging: Judging,
  control: BaseControl,
  patched: Patched,
  provisioned: Provisioned,
  sandbox: RunSandbox,
): Promise<void> {
  const scratch = run.scratchPath('judged');
  mkdirSync(scratch);
  const { sealed } = control;
  const { confinement } = sandbox;
  const verdict = await judgeRepositoryChange({
    ...control,
    install: installerFor(provisionEnvironment(run, sandbox, provisioned.programs), provisioned),
    patchedDir:
      sealed === null
        ? patched.tree
        : await withSealedTests(confinement, patched.tree, sealed.dir, run.scratchPath('sealed-patched')),
    scratch,
    options: {
      allowDeciding: judging.allow_deciding,
      approved: approvedFiles(contract),
      protectedFiles: [],
      ignored: new Set(),
      mustFix: [...judging.must_fix, ...(sealed?.mustFix ?? [])],
      knownFailing: judging.known_failing,
      acceptExitCode: judging.accept === 'exit_code',
      require: judging.require ?? 'fixed_if_failing',
    },
    seed: randomBytes(16).toString('hex'),
  });
  noteChange(run, control, verdict);
  noteTests(run, contract, verdict, provisioned.tools);
  if (verdict.result !== null) noteBaseline(run, judging, control, verdict.result);
  if (run.request.signal.aborted) return;
  if (verdict.faults.some(({ code }) => code === 'demand_changed')) leaveQuestions(run, questionable(verdict));
  if (verdict.verdict === 'blocked') run.blockForAll(verdict.faults);
  run.failForAll(verdict.faults);
}

/** Files whose version in the patch would decide, if a person lets it. */
function questionable({ decisions }: ChangeVerdict): string[] {
  return decisions
    .filter(({ kind, deciding }) => kind === 'no_vote' || deciding === 'both')
    .map(({ path }) => pathText(pathNameBytes(path)));
}

function noteChange(run: Run, { record }: BaseControl, { decisions, result, verdict }: ChangeVerdict): void {
  const named = (kind: string): { path: string; why: string }[] =>
    decisions
      .filter((decision) => decision.kind === kind && decision.allowed_from === null)
      .map(({ path, sentence }) => ({
        path: run.mask.text(pathText(pathNameBytes(path))),
        why: run.mask.text(sentence),
      }));
  const allowed = decisions
    .filter(({ allowed_from: from }) => from !== null)
    .map(({ path }) => run.mask.text(pathText(pathNameBytes(path))));
  const noVote = [...named('no_vote'), ...named('added_test')];
  const ownTests = decisions
    .filter(({ why }) => why === 'inline_tests_changed')
    .map(({ path }) => run.mask.text(pathText(pathNameBytes(path))));
  const proof = verdict === 'pass' ? (result?.proof ?? null) : null;
  const fixed = run.mask.texts(result?.comparison.fixed ?? []);
  const shown = result === null || result.shown === null ? null : shownTests(run, record, result.shown);
  run.log.append('change.judged', 'harness', {
    proof,
    fixed,
    flaky: run.mask.texts(result?.flaky ?? []),
    no_vote: noVote.map(({ path }) => path),
    refused: named('refused').map(({ path }) => path),
    allowed,
    deciding: {
      found_by: record.found_by,
      no_vote: noVote,
      ...(ownTests.length === 0 ? {} : { own_tests: ownTests }),
      refused: named('refused'),
      allowed,
    },
    ...(shown === null ? {} : { shown }),
    ...(result === null || result.removed.length === 0 ? {} : { removed: run.mask.texts(result.removed) }),
  });
}

function shownTests(run: Run, { tests }: BaseRecord, { seen }: JudgeResult): NonNullable<Report['tests']['shown']> {
  const known = new Set(tests.map(({ id }) => id));
  return {
    reported: seen.length,
    failing: run.mask.texts(seen.filter(isFailing).map(({ id }) => id)),
    added: run.mask.texts(seen.filter(({ id }) => !known.has(id)).map(({ id }) => id)),
  };
}

function noteTests(run: Run, contract: Contract, verdict: ChangeVerdict, setUpBy: readonly Tool[]): void {
  const deciding = verdict.result?.deciding ?? null;
  const judged = {
    passed: verdict.verdict === 'pass',
    isolation: isolationOf(verdict, deciding),
    faults: verdict.faults,
    note: noteOnChange(verdict, deciding),
  };
  const measured = deciding ?? { exitCode: null, durationMs: 0, seen: [], toolchain: [] };
  recordVerification(
    run,
    contract,
    { ...measured, ...judged, mustFail: mustFailField(run, verdict.mustFail) },
    setUpBy,
    deciding === null ? null : testLog(contract, { ...deciding, ...judged }),
  );
}

function mustFailField(run: Run, found: ChangeVerdict['mustFail']): Pick<Report['tests'], 'must_fail'> {
  if (found === null) return {};
  const { not_altered: left, alarms, ...counts } = found.mustFail;
  const masked = <T extends { readonly test: string }>(one: T): T => ({ ...one, test: run.mask.text(one.test) });
  return { must_fail: { ...counts, not_altered: left.map(masked), alarms: alarms.map(masked) } };
}

/** The same comparison in the form that the control of every run has. */
function noteBaseline(
  run: Run,
  judging: Judging,
  { record }: BaseControl,
  { flaky, removed, deciding }: ChangeResult,
): void {
  const unheard = new Set([...flaky, ...removed, ...judging.known_failing]);
  const before = record.tests.filter(({ id }) => !unheard.has(id)).map(plain);
  const isGreen = reportsNothing(record) ? record.exit_code === 0 : !before.some(isFailing);
  const { request, bundle } = run;
  const { report } = run.log;
  const status: Report['status'] = isGreen ? 'pass' : 'fail';
  run.log.append('baseline.completed', 'harness', {
    run_id: bundle.runId,
    status,
    reason: isGreen ? null : reason('tests_failed').text,
    tests: before,
    kind: 'before',
    paths: { base: BASE_RECORD_FILE, [request.engine.name]: '.' },
    comparison: {
      same_status: isGreen === (run.blockers.length === 0 && report.tests.passed),
      same_patch: report.patch.bytes === 0,
      changed_files: { base: [], [request.engine.name]: report.changed_files },
      tests: compareTests(before, deciding.seen.map(plain)),
    },
  });
}
