import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { trustedKeys } from '../../evidence/bundle/keys.ts';
import { ATTESTATION_FILE } from '../../evidence/bundle/manifest.ts';
import { findRun, readRun } from '../../evidence/bundle/runs.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { verifyBundle } from '../../evidence/verify/verify-bundle.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { deliver } from '../../run/apply.ts';
import { readContract } from '../../run/inputs.ts';
import { isUrl } from '../../task/git/clone.ts';
import { gitOfUser } from '../../task/git/call.ts';
import type { Contract } from '../../task/contract.ts';
import { directoryOption, handledBy, parseAndRun } from '../options.ts';
import { askYesNo } from '../ask-person.ts';
import { runsToRead } from '../environment/settings.ts';

interface Flags {
  readonly branch?: string;
  readonly repo?: string;
  readonly unproven?: true;
  readonly runs?: string;
  readonly json?: true;
}

export function applyCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('apply')
    .description(
      'Bring the patch of a run home: a commit in the repository it came from, merged where that has moved on.',
    )
    .argument('<run>', 'a run id, the beginning of one, or the path of a bundle')
    .option('--branch <name>', 'make this branch for it, instead of moving the one that is checked out')
    .option('--repo <dir>', 'another clone that holds the commit the run started from')
    .option('--unproven', 'also a run that did not pass; its commit says so')
    .option('--runs <dir>', 'the runs folder, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print the result as JSON');
  return parseAndRun(
    handledBy(command, ([id = ''], options) => apply(id, options)),
    args,
  );
}

async function apply(id: string, flags: Flags): Promise<ExitCode> {
  const dir = findRun(runsToRead(flags.runs, process.cwd()), id);
  const report = provenReport(dir, flags.unproven === true);
  const contract = readContract(dir);
  const { repo, base } = whereTo(contract, flags.repo);
  await refuseDirtyTree(repo);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-apply-'));
  try {
    const message = commitMessage(contract, report, sha256(readFileSync(join(dir, ATTESTATION_FILE))));
    const done = await deliver({ bundleDir: dir, repo, base, message, branch: flags.branch ?? null, scratch });
    if (flags.json === true) process.stdout.write(prettyJson({ run_id: report.run_id, repo, ...done }));
    else
      process.stdout.write(
        `${done.merged ? 'merged' : 'applied'} as ${done.commit} on ${done.branch ?? 'the current branch'} of ${repo}\n`,
      );
    return EXIT.pass;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function provenReport(dir: string, unproven: boolean): Report {
  const found = verifyBundle(dir, { trusted: trustedKeys(process.env), now: new Date() });
  const bad = found.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
  const { report } = readRun(dir);
  if (found.verdict === 'invalid' || found.verdict === 'unsealed' || report === null) {
    throw new SeatrialError(
      'blocked',
      `${dir} is ${found.verdict} and is not applied${bad.length === 0 ? '' : `: ${bad.join('; ')}`}`,
    );
  }
  if (report.status !== 'pass' && !unproven) {
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} did not pass (${report.failure_reason}): look at its report, and give --unproven to apply it all the same`,
    );
  }
  if (report.frozen_tree?.examined === 'no') {
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} has no patch: its tree was not examined (${report.frozen_tree.detail})`,
    );
  }
  if (report.changed_files.length === 0) throw new SeatrialError('blocked', `run ${report.run_id} changed nothing`);
  return report;
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

async function refuseDirtyTree(repo: string): Promise<void> {
  const changed = await gitOfUser(['status', '--porcelain', '--untracked-files=no'], { cwd: repo });
  if (changed.length === 0) return;
  const goOn = await askYesNo(`${repo} has uncommitted changes. Apply all the same?`);
  if (goOn !== true) throw new SeatrialError('blocked', `${repo} has uncommitted changes: commit or stash them first`);
}

function commitMessage({ instruction }: Contract, report: Report, attestation: string): string {
  const [first = '', ...rest] = instruction.trim().split('\n');
  const body = [
    first.length > 72 ? `${first.slice(0, 71)}…` : first,
    ...(first.length > 72 ? ['', first] : []),
    ...rest,
  ]
    .join('\n')
    .trim();
  const trailers = [
    `Seatrial-Run: ${report.run_id}`,
    `Seatrial-Attestation: sha256:${attestation}`,
    ...(report.status === 'pass' ? [] : [`Seatrial-Status: unproven (${report.failure_reason})`]),
  ];
  return `${body}\n\n${trailers.join('\n')}\n`;
}
