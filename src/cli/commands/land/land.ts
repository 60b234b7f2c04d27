import { Command } from '@commander-js/extra-typings';
import { resolve } from 'node:path';
import { findRun } from '../../../evidence/bundle/runs.ts';
import { messageOf, SeatrialError } from '../../../kernel/errors.ts';
import type { ExitCode } from '../../../kernel/exit-codes.ts';
import { passedRuns } from '../../../run/land/queue.ts';
import type { ProvenRun } from '../../../run/land/proven-run.ts';
import { repositoryAround } from '../../../task/repository-around.ts';
import { runsToRead } from '../../environment/settings.ts';
import { hasControllingTerminal } from '../../terminal/controlling-terminal.ts';
import { examineRun, repositoryOf } from './examine-run.ts';
import {
  acceptOption,
  flagName,
  handledBy,
  jsonOption,
  parseAndRun,
  runsToWriteOption,
  signerOption,
  wholeNumber,
  workspaceOption,
} from '../../options.ts';
import { landAndPrint } from './land-and-print.ts';

interface Flags {
  readonly onto: string;
  readonly repo?: string | undefined;
  readonly queue?: true | undefined;
  readonly push?: string | true | undefined;
  readonly approvals?: string | undefined;
  readonly unattended?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly withTests?: true | undefined;
  readonly test?: string | undefined;
  readonly accept?: 'exit_code' | undefined;
  readonly retry: number;
  readonly model?: string | undefined;
  readonly command?: string | undefined;
  readonly key?: string | undefined;
  readonly runs?: string | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly json?: true | undefined;
}

export function landCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('land')
    .description(
      'Merge proven runs with the tip of a branch one after another, judge each merged tree, and move the branch only where it passes. Runs no hook of the repository.',
    )
    .argument('[runs...]', 'run ids, beginnings of one, `last`, or paths of bundles')
    .requiredOption('--onto <branch>', 'branch to land on')
    .option('--queue', 'land every proven run of this repository that is not on the branch yet, oldest first')
    .option(
      '--approvals <file>',
      'with --queue: approval policy; a queue that is not started on a terminal needs a line `allow = "land <branch>"` (default: policy in [approvals] of seatrial.toml)',
    )
    .option(
      '--unattended',
      'treat this as not started by a person: land only if the approval policy has a line `allow = "land <branch>"`',
    )
    .option('--repo <dir>', 'another clone that contains the commit the run started from')
    .option(
      '--push [remote]',
      'push to this remote (default: origin) before the local branch moves; refused if the remote branch has moved',
    )
    .option('--dry-run', 'merge and judge, but move nothing')
    .option('--test <command>', "test command for the merged tree (default: the run's own)")
    .addOption(acceptOption('on the merged tree'))
    .option('--with-tests', 'also land changes to tests and other files that had no vote on the patch')
    .option(
      '--retry <n>',
      'after a conflict or a merged tree that fails, start the engine of the run again from the tip, told what broke, at most n times; lands what passes',
      wholeNumber('--retry', 0),
      0,
    )
    .option('--model <provider/model>', "with --retry: another model than the run's")
    .option('--command <line>', 'with --retry: the shell command of the engine `command`')
    .addOption(workspaceOption('for judging the merged tree'))
    .addOption(signerOption())
    .addOption(runsToWriteOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([runs], options) => land(runs, options)),
    args,
  );
}

async function land(wanted: readonly string[], flags: Flags): Promise<ExitCode> {
  if ((flags.queue === true) === wanted.length > 0)
    throw new SeatrialError('usage', 'give the runs to land, or --queue for all proven ones');
  const stray = (['model', 'command'] as const).find((name) => flags[name] !== undefined);
  if (stray !== undefined && flags.retry === 0) throw new SeatrialError('usage', `${flagName(stray)} requires --retry`);
  if (flags.retry > 0 && flags.dryRun === true)
    throw new SeatrialError('usage', '--dry-run changes nothing, so nothing is tried again; leave --retry out');
  const runsDir = runsToRead(flags.runs, process.cwd());
  const repo = flags.repo === undefined ? undefined : repositoryAround(resolve(flags.repo)).root;
  const found =
    flags.queue === true
      ? queued(runsDir, repo ?? repositoryAround(process.cwd()).root, flags)
      : wanted.map((id) => provenRun(findRun(runsDir, id), flags, repo));
  const repos = [...new Set(found.map((one) => one.repo))];
  const [place, second] = repos;
  if (place === undefined) throw new SeatrialError('usage', `no proven run of this repository waits in ${runsDir}`);
  if (second !== undefined)
    throw new SeatrialError(
      'usage',
      `the runs belong to ${repos.join(' and ')}; land those of one repository at a time`,
    );
  return landAndPrint(
    found.map(({ run }) => run),
    {
      ...flags,
      unattended:
        flags.dryRun !== true && (flags.unattended === true || (flags.queue === true && !hasControllingTerminal())),
      repo: place,
      push: flags.push === true ? 'origin' : (flags.push ?? null),
    },
  );
}

interface FoundRun {
  readonly run: ProvenRun;
  readonly repo: string;
}

function provenRun(dir: string, { key }: Flags, given: string | undefined): FoundRun {
  const { unproven: _none, ...examined } = examineRun(dir, { key });
  const { repo, base } = repositoryOf(examined.contract, given);
  return { run: { ...examined, base }, repo };
}

/** A run that no longer verifies is named and left out: the others may land all the same. */
function queued(runsDir: string, repo: string, flags: Flags): readonly FoundRun[] {
  return passedRuns(runsDir, repo).flatMap((dir) => {
    try {
      return [provenRun(dir, flags, repo)];
    } catch (error) {
      if (!(error instanceof SeatrialError)) throw error;
      process.stderr.write(`note: not taken: ${messageOf(error)}\n`);
      return [];
    }
  });
}
