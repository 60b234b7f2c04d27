import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { explainCode } from '../../../evidence/reasons/explain.ts';
import { REASONS } from '../../../evidence/reasons/catalogue.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import type { GivenRequest } from '../../../run/given.ts';
import { landRuns } from '../../../run/land/land-runs.ts';
import type { LandingOutcome } from '../../../run/land/outcome.ts';
import type { ProvenRun } from '../../../run/land/proven-run.ts';
import { runTask } from '../../../run/run.ts';
import { createRunEnvironment, forRepository } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { print } from '../../print.ts';
import { exitCodeOfAll, progressFor } from '../../print/run-output.ts';
import { dirsOfSettings } from '../../run-source.ts';
import { interruptible } from '../../terminal/interrupt.ts';

export interface LandFlags {
  readonly repo: string;
  readonly onto: string;
  readonly push: string | null;
  readonly queue?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly withTests?: true | undefined;
  readonly test?: string | undefined;
  readonly accept?: 'exit_code' | undefined;
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

/** Lands runs and prints what became of each. */
export async function landAndPrint(runs: readonly ProvenRun[], flags: LandFlags): Promise<ExitCode> {
  const environment = createRunEnvironment(readSettings(process.cwd()), {
    confine: 'bubblewrap',
    ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
  });
  const { runsDir, key, clock } = environment;
  const signal = interruptible();
  const judge = async (given: GivenRequest) => {
    const progress = progressFor({ json: flags.json, repeat: 1 });
    return runTask({
      ...given,
      environment: forRepository(environment, flags.repo, given.inputs.filesDir),
      solutionDir: null,
      taskDir: given.inputs.testsDir,
      watch: progress,
      signal,
    }).finally(() => progress.end());
  };
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-land-'));
  try {
    const outcomes = await landRuns(
      runs,
      {
        repo: flags.repo,
        onto: flags.onto,
        push: flags.push,
        withTests: flags.withTests === true,
        dryRun: flags.dryRun === true,
        testCommand: flags.test ?? null,
        acceptExitCode: flags.accept === 'exit_code',
        guardedDirs: dirsOfSettings(flags.repo, flags),
      },
      {
        caller: process.env,
        runsDir,
        key,
        clock,
        signal,
        judge,
        tell: (line) => process.stderr.write(`${safeLine(line)}\n`),
      },
      scratch,
    );
    // What is on the branch already is no news to somebody who asked for all that waits.
    const shown = flags.queue === true ? outcomes.filter(({ outcome }) => outcome !== 'already landed') : outcomes;
    print(flags.json, { onto: flags.onto, repo: flags.repo, runs: shown.map(asJson) }, () =>
      [...shown.flatMap((one) => linesOf(one, flags)), ...summary(outcomes, flags)].map(safeLine),
    );
    return exitCodeOfAll(outcomes.map(exitCodeOf), runs.length);
  } finally {
    await removeTree(scratch);
  }
}

function exitCodeOf(outcome: LandingOutcome): ExitCode {
  if (outcome.outcome !== 'held') return EXIT.pass;
  return outcome.reasons.some(({ status }) => status === 'fail') ? EXIT.fail : EXIT.blocked;
}

function linesOf(outcome: LandingOutcome, { onto, repo }: LandFlags): string[] {
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
        ...(first === undefined ? [] : [`        next: ${explainCode(first.code, REASONS).next}`]),
      ];
    }
    default:
      return outcome satisfies never;
  }
}

function summary(outcomes: readonly LandingOutcome[], { queue }: LandFlags): readonly string[] {
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
