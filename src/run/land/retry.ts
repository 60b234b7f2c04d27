import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_REASONS } from '../../engines/list.ts';
import { REPORT_FILE } from '../../evidence/bundle/bundle.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import { boundedLines } from '../../evidence/report/render/text/bounds.ts';
import { safeText } from '../../evidence/report/render/text/safe-text.ts';
import { readTestOutputEnd } from '../../evidence/report/test-output.ts';
import { blockersIn } from '../../evidence/report/verdict.ts';
import { BASE_RECORD_FILE, baseRecord } from '../../evidence/schema/base-record.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { FurtherAttempt, Terms } from '../../task/contract.ts';
import { takeRepository } from '../../task/own-repository.ts';
import type { RunRequest } from '../request.ts';
import type { BaseCache } from '../trees/base-cache.ts';
import { inputsOfRepository } from '../trees/cached-inputs.ts';
import { feedbackFor } from '../retry/feedback.ts';
import { sealedTests } from './prepare-judgement.ts';
import type { LandingOutcome } from './outcome.ts';
import type { ProvenRun } from './proven-run.ts';

export type HeldRun = Extract<LandingOutcome, { readonly outcome: 'held' }>;

/** Holds that another attempt of the engine, from the tip of the branch, can end. */
const RETRYABLE: ReadonlySet<string> = new Set(['landing_conflict', 'landing_failed', 'landing_added_tests_fail']);

export function canRetry({ contract }: ProvenRun, outcome: LandingOutcome): outcome is HeldRun {
  const byEngine = contract.given === undefined || contract.given.kind === 'run';
  return outcome.outcome === 'held' && byEngine && outcome.reasons.every(({ code }) => RETRYABLE.has(code));
}

/** The task of a held run again, from the tip of the branch. `judged`: the bundle of the judgement; null: there was a conflict. */
export async function retryRequest(
  run: ProvenRun,
  held: HeldRun,
  judged: Report | null,
  place: {
    readonly repo: string;
    readonly branch: string;
    readonly tip: string;
    readonly scratch: string;
    readonly cache: BaseCache | null;
  },
): Promise<Pick<RunRequest, 'terms' | 'inputs' | 'previousWork'>> {
  const { base: _base, sealed_tests: _tests, given: _given, attempt: _attempt, ...terms } = run.contract;
  // What was judged is a change to the tip it was judged on.
  const tip = judged?.landing?.tip ?? place.tip;
  const taken = await takeRepository({
    path: place.repo,
    commit: tip,
    dirty: false,
    scratch: place.scratch,
    cache: place.cache ?? undefined,
  });
  const goesOn = judged !== null && !terms.must_commit;
  const startsFrom = goesOn ? 'previous_work' : 'base';
  const guarded = terms.repository?.guarded_paths;
  const testsDir = sealedTests(run, place.scratch);
  const retried: Terms = {
    ...terms,
    repository: { ...taken.repository, ...(guarded === undefined ? {} : { guarded_paths: guarded }) },
    attempt: {
      earlier: [...(run.contract.attempt?.earlier ?? []), earlierAttempt(run, held, judged)],
      feedback:
        judged === null
          ? conflictFeedback(run, held, place.branch)
          : `${AFTER_LANDING(place.branch)}\n\n${judgedFeedback(judged, startsFrom, testsDir !== null)}`,
      starts_from: startsFrom,
      time_left_sec: terms.agent_timeout_sec,
    },
  };
  const inputs = inputsOfRepository(taken, testsDir, place.cache);
  return { terms: retried, inputs, ...(goesOn ? { previousWork: judged.run_dir } : {}) };
}

const AFTER_LANDING = (branch: string): string =>
  `The change passed alone, but ${branch} has moved on. What follows is about the change merged with the current ${branch}.`;

function earlierAttempt(run: ProvenRun, held: HeldRun, judged: Report | null): FurtherAttempt['earlier'][number] {
  const { run_id, run_dir: dir } = judged ?? { run_id: run.report.run_id, run_dir: run.dir };
  return {
    run_id,
    report_sha256: sha256(readFileSync(join(dir, REPORT_FILE))),
    status: judged === null || judged.status === 'pass' ? 'held' : judged.status,
    failure_reason: held.reasons[0]?.text ?? null,
  };
}

function judgedFeedback(judged: Report, startsFrom: FurtherAttempt['starts_from'], isSealed: boolean): string {
  const events = readEvents(join(judged.run_dir, EVENTS_FILE));
  return feedbackFor(
    {
      report: judged,
      blockers: blockersIn(events),
      testOutputEnd: readTestOutputEnd(join(judged.run_dir, 'test.log')),
      startsFrom,
      sealedIds: isSealed ? idsOfBase(judged) : null,
    },
    ALL_REASONS,
  );
}

function idsOfBase({ run_dir: dir }: Report): ReadonlySet<string> {
  const record = parseBytes(readFileSync(join(dir, BASE_RECORD_FILE)), baseRecord);
  return new Set(record.ok ? record.value.tests.map(({ id }) => id) : []);
}

const MAX_PATCH_LINES = 400;
const MAX_LINE = 400;

function conflictFeedback({ dir }: ProvenRun, { reasons }: HeldRun, branch: string): string {
  const patch = boundedLines(safeText(readFileSync(join(dir, 'patch.diff'), 'utf8')), MAX_PATCH_LINES, MAX_LINE).text;
  return [
    `A previous attempt at this task passed, but ${branch} has moved on:`,
    ...reasons.map(({ text }) => `- ${safeText(text)}`),
    '',
    `The working tree is the current ${branch}, without that attempt. Make the change again so that it fits. It was:`,
    '',
    ...patch.split('\n').map((line) => `    ${line}`.trimEnd()),
    '',
  ].join('\n');
}
