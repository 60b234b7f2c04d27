import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { REASONS } from '../../../evidence/reasons/catalogue.ts';
import { explainCode } from '../../../evidence/reasons/explain.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import type { LandingOutcome } from '../../../run/land/outcome.ts';
import type { ProvenRun } from '../../../run/land/proven-run.ts';
import { print } from '../../print.ts';
import { exitCodeOfAll } from '../../print/run-output.ts';

interface PrintFlags {
  readonly repo: string;
  readonly onto: string;
  readonly queue?: true | undefined;
  readonly json?: true | undefined;
}

/** Prints what became of each run, and returns the exit code of all of them. */
export function printOutcomes(
  outcomes: readonly LandingOutcome[],
  runs: readonly ProvenRun[],
  flags: PrintFlags,
): ExitCode {
  // `--queue` asks for the runs that wait; what is on the branch already is not among them.
  const shown = flags.queue === true ? outcomes.filter(({ outcome }) => outcome !== 'already landed') : outcomes;
  print(flags.json, { onto: flags.onto, repo: flags.repo, runs: shown.map(asJson) }, () =>
    [...shown.flatMap((one) => linesOf(one, flags)), ...summary(outcomes, flags)].map(safeLine),
  );
  return exitCodeOfAll(outcomes.map(exitCodeOf), runs.length);
}

function exitCodeOf(outcome: LandingOutcome): ExitCode {
  if (outcome.outcome !== 'held') return EXIT.pass;
  return outcome.reasons.some(({ status }) => status === 'fail') ? EXIT.fail : EXIT.blocked;
}

function linesOf(outcome: LandingOutcome, { onto, repo }: PrintFlags): string[] {
  switch (outcome.outcome) {
    case 'landed':
    case 'dry run': {
      const done = outcome.outcome === 'landed' ? 'landed' : 'would land';
      const left = outcome.leftOut.join(', ');
      return [
        `${done}  ${outcome.runId} as ${outcome.commit} on ${onto} of ${repo}`,
        `        judged merged with ${outcome.tip.slice(0, 12)} in ${outcome.judgedIn}`,
        ...(left === ''
          ? []
          : [`        left out: ${left}; these changes had no vote. Review them, then land with --with-tests`]),
        ...(outcome.result === null ? [] : [`        statement for other tools: ${outcome.result}`]),
        ...retriedLines(outcome),
        ...outcome.notes.map((note) => `        note: ${note}`),
      ];
    }
    case 'already landed':
      return [
        `landed  ${outcome.runId} is already on ${onto}${outcome.commit === null ? '' : ` as ${outcome.commit}`}: nothing to do`,
      ];
    case 'held': {
      const [first] = outcome.reasons;
      return [
        ...outcome.reasons.map(({ text }) => `held    ${outcome.runId}: ${text}`),
        ...(outcome.judgedIn === null ? [] : [`        judged in ${outcome.judgedIn}`]),
        ...retriedLines(outcome),
        ...(first === undefined ? [] : [`        next: ${explainCode(first.code, REASONS).next}`]),
      ];
    }
    default:
      return outcome satisfies never;
  }
}

const retriedLines = ({ retriedIn = [] }: LandingOutcome): readonly string[] =>
  retriedIn.map((run) => `        the engine tried again in ${run}`);

function summary(outcomes: readonly LandingOutcome[], { queue }: PrintFlags): readonly string[] {
  if (queue !== true) return [];
  const count = (wanted: LandingOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  const already = count('already landed');
  return [
    '',
    `${count('landed')} landed, ${count('held')} held${already === 0 ? '' : `, ${already} already on the branch`}`,
  ];
}

function asJson(outcome: LandingOutcome): object {
  const { retriedIn } = outcome;
  return { ...fieldsOf(outcome), ...(retriedIn === undefined ? {} : { retried_in: retriedIn }) };
}

function fieldsOf(outcome: LandingOutcome): object {
  switch (outcome.outcome) {
    case 'landed':
    case 'dry run':
      return {
        outcome: outcome.outcome,
        run_id: outcome.runId,
        commit: outcome.commit,
        tree: outcome.tree,
        tip: outcome.tip,
        judged_in: outcome.judgedIn,
        left_out: outcome.leftOut,
        notes: outcome.notes,
        statement: outcome.result,
      };
    case 'already landed':
      return { outcome: outcome.outcome, run_id: outcome.runId, commit: outcome.commit };
    case 'held':
      return {
        outcome: outcome.outcome,
        run_id: outcome.runId,
        reasons: outcome.reasons.map(({ code, text, status }) => ({ code, text, status })),
        judged_in: outcome.judgedIn,
        broken: outcome.broken,
      };
    default:
      return outcome satisfies never;
  }
}
