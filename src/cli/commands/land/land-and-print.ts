import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporary } from '../../../evidence/bundle/temporary.ts';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import type { ExitCode } from '../../../kernel/exit-codes.ts';
import { decideApproval } from '../../../run/approvals/decide.ts';
import { landQuestion } from '../../../run/land/prepare-judgement.ts';
import { landRuns } from '../../../run/land/land-runs.ts';
import type { LandingOutcome } from '../../../run/land/outcome.ts';
import type { ProvenRun } from '../../../run/land/proven-run.ts';
import { createRunEnvironment } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { dirsOfSettings } from '../../run-source.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { landPorts } from './ports.ts';
import { printOutcomes } from './print-landings.ts';
import { refuseOutOfScope } from './stage-scope.ts';
import { refuseRetry, type RetryFlags, retryHeld } from './retry-held.ts';

export interface LandFlags extends RetryFlags {
  readonly push: string | null;
  /** No person started this. */
  readonly unattended: boolean;
  readonly approvals?: string | undefined;
  readonly queue?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly withTests?: true | undefined;
  readonly test?: string | undefined;
  readonly accept?: 'exit_code' | undefined;
}

/** Lands runs and prints what became of each. */
export async function landAndPrint(runs: readonly ProvenRun[], flags: LandFlags): Promise<ExitCode> {
  const environment = createRunEnvironment(readSettings(process.cwd()), {
    confine: 'bubblewrap',
    ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
    ...(flags.approvals === undefined ? {} : { approvals: flags.approvals }),
  });
  if (flags.unattended) {
    // Before anything is judged: a queue that may not land would leave a bundle each time it is called.
    const question = { from: 'task', action: landQuestion(flags.onto) } as const;
    const { decision } = decideApproval(question, environment.approvals, environment.ask !== null);
    if (decision === 'denied') return printOutcomes(runs.map(notApproved(flags.onto)), runs, flags);
  }
  const signal = interruptible();
  for (const { report } of runs) await refuseOutOfScope(report, flags.repo, flags.onto);
  refuseRetry(runs, flags);
  const scratch = makeTemporary('land');
  const land = (some: readonly ProvenRun[]): Promise<readonly LandingOutcome[]> =>
    landRuns(
      some,
      {
        repo: flags.repo,
        onto: flags.onto,
        push: flags.push,
        withTests: flags.withTests === true,
        dryRun: flags.dryRun === true,
        testCommand: flags.test ?? null,
        acceptExitCode: flags.accept === 'exit_code',
        question: flags.unattended ? landQuestion(flags.onto) : null,
        guardedDirs: dirsOfSettings(flags.repo, flags),
      },
      landPorts(environment, flags.repo, signal, flags.json),
      mkdtempSync(join(scratch, 'landing-')),
    );
  try {
    const outcomes: LandingOutcome[] = [];
    for (const [at, outcome] of (await land(runs)).entries()) {
      const run = runs[at];
      outcomes.push(run === undefined ? outcome : await retryHeld(run, outcome, flags, { signal, scratch, land }));
    }
    return printOutcomes(outcomes, runs, flags);
  } finally {
    await removeTree(scratch);
  }
}

const notApproved =
  (branch: string) =>
  ({ report: { run_id: runId } }: ProvenRun): LandingOutcome => ({
    outcome: 'held',
    runId,
    reasons: [reason('landing_not_approved', { branch, how: 'no person started it, and no policy allows it' })],
    judgedIn: null,
    broken: [],
  });
