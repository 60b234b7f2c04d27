import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { ATTESTATION_FILE } from '../../evidence/bundle/manifest.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findRun } from '../../evidence/bundle/runs.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { openAndVerify } from '../../evidence/verify/verify-bundle.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { type Delivered, deliver } from '../../run/apply/deliver.ts';
import { attestationLine, commitMessage, whyUnproven } from '../../run/apply/message.ts';
import { openTarget } from '../../run/apply/target.ts';
import { readContract } from '../../run/trees/inputs.ts';
import { isUrl } from '../../task/git/clone.ts';
import type { Contract } from '../../task/contract.ts';
import { handledBy, jsonOption, parseAndRun, runsToReadOption, signerOption } from '../options.ts';
import { print } from '../print.ts';
import { runsToRead } from '../environment/settings.ts';
import { whoseSeals } from '../whose-seals.ts';

interface Flags {
  readonly branch?: string | undefined;
  readonly checkout: boolean;
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
  const { report, unproven } = examine(dir, flags);
  const contract = readContract(dir);
  const { repo, base } = whereTo(contract, flags.repo);
  const attestation = sha256(readFileSync(join(dir, ATTESTATION_FILE)));
  const target = await openTarget(repo, process.env);
  const silent = (report.deciding?.no_vote ?? []).map(({ path }) => path);
  // Who applies an unproven run wants its whole patch.
  const takesAll = flags.withTests === true || flags.unproven === true;
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-apply-'));
  try {
    const done = await deliver(target, {
      bundleDir: dir,
      runId: report.run_id,
      base,
      destination: { branch, checkOut: flags.checkout },
      withoutVote: new Set(takesAll ? [] : silent),
      message: (merged, leftOut) =>
        commitMessage({
          leftOut,
          withTests: takesAll ? silent : [],
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

/** `unproven`: why the run is not proven on this machine; empty when it is. Only `--unproven` accepts such a run. */
function examine(dir: string, flags: Flags): { readonly report: Report; readonly unproven: readonly string[] } {
  const { verification, bundle } = openAndVerify(dir, { ...whoseSeals(flags.key), now: new Date() });
  const report = bundle.report.ok ? bundle.report.value : null;
  const bad = verification.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
  if (verification.verdict === 'invalid' || verification.verdict === 'unsealed' || report === null) {
    throw new SeatrialError(
      'blocked',
      `${dir} is ${verification.verdict} and is not applied${bad.length === 0 ? '' : `: ${bad.join('; ')}`}`,
    );
  }
  if (report.frozen_tree?.examined === 'no')
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} has no patch: its tree was not examined (${report.frozen_tree.detail})`,
    );
  if (report.changed_files.length === 0) throw new SeatrialError('blocked', `run ${report.run_id} changed nothing`);
  const signer = bundle.attestation.kind === 'signed' ? bundle.attestation.keyid : 'none';
  const unknownSigner = verification.verdict === 'verified' ? null : signer;
  if (report.status !== 'pass' && flags.unproven !== true)
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} did not pass (${report.failure_reason}); read its report, and give --unproven to apply it anyway`,
    );
  if (unknownSigner !== null && flags.unproven !== true)
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} is signed by key ${unknownSigner}, which is not trusted here; give its public key (\`seatrial key show\` on the signer's machine) with --key, save it as ~/.config/seatrial/trusted_keys/<name>.pem, or apply the run anyway with --unproven`,
    );
  return { report, unproven: whyUnproven({ report, unknownSigner }) };
}

function whereTo(contract: Contract, given: string | undefined): { readonly repo: string; readonly base: string } {
  const { repository } = contract;
  if (repository === null)
    throw new SeatrialError(
      'usage',
      'this run worked on a task directory, not on a repository, so there is nothing to apply it to',
    );
  if (repository.dirty)
    throw new SeatrialError(
      'usage',
      `this run started from uncommitted changes; apply its patch by hand with \`git apply\` in ${repository.path}`,
    );
  if (given === undefined && isUrl(repository.path))
    throw new SeatrialError('usage', `this run worked on ${repository.path}; give a clone of it with --repo`);
  return { repo: resolve(given ?? repository.path), base: repository.commit };
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
          'unproven: the repository had moved on, and the merged tree was not judged; run its tests before you rely on it',
        ]
      : []),
  ];
}
