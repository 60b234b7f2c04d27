import { makeTemporary } from '../../evidence/bundle/temporary.ts';
import { Command } from '@commander-js/extra-typings';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findRun } from '../../evidence/bundle/runs.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { type Delivered, deliver } from '../../run/apply/deliver.ts';
import { attestationLine, commitMessage } from '../../run/apply/message.ts';
import { branchName, openTarget, type Target } from '../../run/apply/target.ts';
import type { ProvenRun } from '../../run/land/proven-run.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption, signerOption } from '../options.ts';
import { refuseOutOfScope } from './land/stage-scope.ts';
import { examineRun, repositoryOf } from './land/examine-run.ts';
import { print } from '../print.ts';
import { runsToRead } from '../environment/settings.ts';

interface Flags {
  readonly branch?: string | undefined;
  readonly checkout: boolean;
  readonly prove?: true | undefined;
  readonly repo?: string | undefined;
  readonly unproven?: true | undefined;
  readonly withTests?: true | undefined;
  readonly key?: string | undefined;
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

export function applyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('apply')
    .description(
      'Commit the patch of a run to the repository it was made for, merging it when the repository has moved on. Runs no hook, filter or other program of the repository or the patch.',
    )
    .argument('<run>', 'run id, the beginning of one, `last`, or the path of a bundle')
    .option(
      '--branch <name>',
      'create this branch and check it out (default: commit to the branch that is checked out)',
    )
    .option('--no-checkout', 'with --branch: only create the branch; HEAD, index and files stay unchanged')
    .option(
      '--prove',
      'judge the merged tree first, and commit only if it passes: lands on the branch that is checked out',
    )
    .option('--repo <dir>', 'another clone that contains the commit the run started from')
    .option('--unproven', 'apply a run that did not pass or has an unknown signer; the commit message says so')
    .option('--with-tests', 'also commit changes to tests and other files that had no vote on the patch')
    .addOption(signerOption())
    .addOption(runsToReadOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([id], options) => apply(id, options)),
    args,
  );
}

async function apply(id: string, flags: Flags): Promise<ExitCode> {
  const branch = flags.branch ?? null;
  if (!flags.checkout && branch === null)
    throw new SeatrialError('usage', '--no-checkout requires --branch <name>, the branch to create');
  const dir = findRun(runsToRead(flags.runs, process.cwd()), id);
  const { report, contract, attestation, unproven } = examineRun(dir, flags);
  const { repo, base } = repositoryOf(contract, flags.repo);
  const target = await openTarget(repo, process.env);
  await refuseOutOfScope(report, repo, branch ?? target.branch);
  if (flags.prove === true) return prove({ dir, report, contract, attestation, base }, target, flags);
  const silent = (report.deciding?.no_vote ?? []).map(({ path }) => path);
  const ownTests = report.deciding?.own_tests ?? [];
  // Who applies an unproven run wants its whole patch.
  const takesAll = flags.withTests === true || flags.unproven === true;
  const scratch = makeTemporary('apply');
  try {
    const done = await deliver(target, {
      bundleDir: dir,
      runId: report.run_id,
      base,
      destination: { branch, checkOut: flags.checkout },
      withoutVote: new Set(takesAll ? [] : silent),
      ownTests: new Set(takesAll ? [] : ownTests),
      message: (merged, leftOut) =>
        commitMessage({
          leftOut,
          withTests: takesAll ? [...silent, ...ownTests] : [],
          instruction: contract.instruction,
          runId: report.run_id,
          attestation,
          unproven: merged === null ? unproven : [...unproven, merged],
        }),
      mark: attestationLine(attestation),
      scratch,
    });
    print(flags.json, asJson(report.run_id, repo, done, unproven), () =>
      resultLines(report.run_id, repo, done, unproven).map(safeLine),
    );
    if (flags.json !== true) for (const note of notesOf(done)) process.stderr.write(`note: ${safeLine(note)}\n`);
    return EXIT.pass;
  } finally {
    await removeTree(scratch);
  }
}

/** `apply --prove` is a landing on the branch that is checked out. */
async function prove(run: ProvenRun, target: Target, flags: Flags): Promise<ExitCode> {
  if (flags.branch !== undefined || flags.unproven === true)
    throw new SeatrialError('usage', '--prove goes with neither --branch nor --unproven');
  if (target.branch === null)
    throw new SeatrialError(
      'usage',
      `HEAD is detached in ${target.repo}; check a branch out, or name one: seatrial land ${run.report.run_id} --onto <branch>`,
    );
  const { landAndPrint } = await import('./land/land-and-print.ts');
  return landAndPrint([run], {
    ...flags,
    repo: target.repo,
    onto: branchName(target.branch),
    push: null,
    unattended: false,
    retry: 0,
  });
}

function asJson(runId: string, repo: string, done: Delivered, unproven: readonly string[]): object {
  const applied = done.outcome === 'already applied' ? null : done;
  return {
    run_id: runId,
    repo,
    outcome: done.outcome,
    commit: done.commit,
    branch: done.branch,
    checked_out: applied?.checkedOut ?? false,
    merged: done.outcome === 'merged',
    left_out: applied?.leftOut ?? [],
    // True: this very tree passed, by a bundle whose signer is trusted here. Null: nothing was committed.
    proven: applied === null ? null : applied.outcome === 'applied' && unproven.length === 0,
    notes: notesOf(done),
  };
}

function notesOf(done: Delivered): readonly string[] {
  return done.outcome === 'already applied' ? [] : done.notes;
}

function resultLines(runId: string, repo: string, done: Delivered, unproven: readonly string[]): string[] {
  const on = done.branch ?? 'HEAD';
  if (done.outcome === 'already applied')
    return [
      done.commit === null
        ? `${on} of ${repo} already has the change of ${runId}: nothing to do`
        : `${runId} is already applied as ${done.commit} on ${on} of ${repo}: nothing to do`,
    ];
  const where = done.checkedOut ? 'checked out' : 'not checked out';
  return [
    `${done.outcome} as ${done.commit} on ${on} of ${repo} (${where})`,
    ...unproven.map((why) => `unproven: ${why}`),
    ...(done.leftOut.length === 0
      ? []
      : [
          `left out: ${done.leftOut.join(', ')}; these changes had no vote on the patch. Review them, then apply with --with-tests to commit them too`,
        ]),
    ...(done.outcome === 'merged'
      ? [
          'unproven: the repository had moved on, and the merged tree was not judged; run its tests before you rely on it, or apply with --prove',
        ]
      : []),
  ];
}
