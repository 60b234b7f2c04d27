import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { ATTESTATION_FILE } from '../../evidence/bundle/manifest.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { findRun } from '../../evidence/bundle/runs.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { openAndVerify } from '../../evidence/verify/verify-bundle.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { type Delivered, deliver } from '../../run/apply/deliver.ts';
import { attestationLine, commitMessage, whyUnproven } from '../../run/apply/message.ts';
import { openTarget } from '../../run/apply/target.ts';
import { readContract } from '../../run/inputs.ts';
import { isUrl } from '../../task/git/clone.ts';
import type { Contract } from '../../task/contract.ts';
import { directoryOption, handledBy, parseAndRun } from '../options.ts';
import { runsToRead } from '../environment/settings.ts';
import { whoseSeals } from '../whose-seals.ts';

interface Flags {
  readonly branch?: string;
  readonly checkout: boolean;
  readonly repo?: string;
  readonly unproven?: true;
  readonly key?: string;
  readonly runs?: string;
  readonly json?: true;
}

export function applyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('apply')
    .description(
      'Bring the patch of a run home: a commit in the repository it came from, merged where that has moved on. Runs no hook, filter or other program of the repository or the patch.',
    )
    .argument('<run>', 'a run id, the beginning of one, or the path of a bundle')
    .option(
      '--branch <name>',
      'make this branch for it and check it out, instead of moving the one that is checked out',
    )
    .option('--no-checkout', 'with --branch: only make the branch; HEAD, index and files stay as they are')
    .option('--repo <dir>', 'another clone that holds the commit the run started from')
    .option('--unproven', 'apply a run that did not pass or whose signer is unknown; its commit says so')
    .option('--key <file>', 'whose seal counts: a public key in PEM form, instead of the keys pinned on this machine')
    .option('--runs <dir>', 'the runs folder, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print the result as JSON');
  return parseAndRun(
    handledBy(command, ([id = ''], options) => apply(id, options as unknown as Flags)),
    args,
  );
}

async function apply(id: string, flags: Flags): Promise<ExitCode> {
  const branch = flags.branch ?? null;
  if (!flags.checkout && branch === null)
    throw new SeatrialError('usage', '--no-checkout goes with --branch <name>, which it makes without checking it out');
  const dir = findRun(runsToRead(flags.runs, process.cwd()), id);
  const { report, unproven } = examine(dir, flags);
  const contract = readContract(dir);
  const { repo, base } = whereTo(contract, flags.repo);
  const attestation = sha256(readFileSync(join(dir, ATTESTATION_FILE)));
  const target = await openTarget(repo, process.env);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-apply-'));
  try {
    const done = await deliver(target, {
      bundleDir: dir,
      runId: report.run_id,
      base,
      destination: { branch, checkOut: flags.checkout },
      message: (merged) =>
        commitMessage({
          instruction: contract.instruction,
          runId: report.run_id,
          attestation,
          unproven: merged === null ? unproven : [...unproven, merged],
        }),
      mark: attestationLine(attestation),
      scratch,
    });
    if (flags.json === true) process.stdout.write(prettyJson(asJson(report.run_id, repo, done, unproven)));
    else print(report.run_id, repo, done, unproven);
    return EXIT.pass;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Why the run is not proven here, which only `--unproven` lets through; empty: it is proven. */
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
      `run ${report.run_id} did not pass (${report.failure_reason}): look at its report, and give --unproven to apply it all the same`,
    );
  if (unknownSigner !== null && flags.unproven !== true)
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} is signed by key ${unknownSigner}, which is not trusted here: get the public key of its signer (\`seatrial key show\` there) and give it by --key, or keep it as ~/.config/seatrial/trusted_keys/<name>.pem; --unproven applies it all the same`,
    );
  return { report, unproven: whyUnproven({ report, unknownSigner }) };
}

function whereTo(contract: Contract, given: string | undefined): { readonly repo: string; readonly base: string } {
  const { repository } = contract;
  if (repository === null)
    throw new SeatrialError(
      'usage',
      'this run was of a task directory, not of a repository: there is nothing to apply it to',
    );
  if (repository.dirty)
    throw new SeatrialError(
      'usage',
      `this run started from uncommitted changes: apply its patch by hand, with \`git apply\` in ${repository.path}`,
    );
  if (given === undefined && isUrl(repository.path))
    throw new SeatrialError('usage', `this run was of ${repository.path}: give a clone of it by --repo`);
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
    // The commit's tree was seen to pass as it is, by a harness whose key is trusted here; null: nothing was committed.
    proven: applied === null ? null : applied.outcome === 'applied' && unproven.length === 0,
    notes: applied?.notes ?? [],
  };
}

function print(runId: string, repo: string, done: Delivered, unproven: readonly string[]): void {
  const say = (text: string): void => void process.stdout.write(`${safeLine(text)}\n`);
  const on = done.branch ?? 'HEAD';
  if (done.outcome === 'already applied') {
    const how =
      done.commit === null
        ? `${on} of ${repo} already has the change of ${runId}`
        : `${runId} is already applied as ${done.commit} on ${on} of ${repo}`;
    say(`${how}: nothing to do`);
    return;
  }
  const where = done.checkedOut ? 'checked out' : 'not checked out';
  say(`${done.outcome} as ${done.commit} on ${on} of ${repo} (${where})`);
  for (const why of unproven) say(`unproven: ${why}`);
  if (done.outcome === 'merged')
    say(
      'unproven: the repository had moved on, and the merged tree was not judged: run its tests before you rely on it',
    );
  for (const note of done.notes) process.stderr.write(`note: ${safeLine(note)}\n`);
}
