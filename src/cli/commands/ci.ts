import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { ALL_REASONS } from '../../engines/list.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { exitCodeForReport } from '../../evidence/reasons/explain.ts';
import { repositoryAround } from '../../task/repository-around.ts';
import { annotationsOf, workflowCommand } from '../ci/annotations.ts';
import { baseOfEvent } from '../ci/event.ts';
import { findBase } from '../ci/find-base.ts';
import { readEvent, writeOutputs, writeSummary } from '../ci/github-files.ts';
import { judgeCommit, type JudgeFlags } from '../judge-bundle.ts';
import {
  acceptOption,
  allowDecidingOption,
  handledBy,
  jsonOption,
  mustFixOption,
  parseAndRun,
  runsToWriteOption,
  wholeNumber,
  workspaceOption,
} from '../options.ts';
import { print } from '../print.ts';
import { reportLines } from '../print/run-output.ts';

interface Flags extends JudgeFlags {
  readonly base?: string | undefined;
  readonly summary?: string | undefined;
}

export function ciCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('ci')
    .description(
      'Judge the change of a CI job, and keep a signed bundle. The base comes from the event of GitHub Actions or GitLab. In GitHub Actions, reasons and failing tests become annotations, and the report becomes the job summary.',
    )
    .option('--repo <dir>', 'the checkout', '.')
    .option('--commit <name>', 'commit to judge', 'HEAD')
    .option('--base <name>', 'commit before the change (default: from the event)')
    .option('--test <command>', 'test command (default: test_command in .seatrial/task.toml of the base)')
    .option(
      '--setup <command>',
      'setup command, run with network access (default: detected from the lockfile; "" to skip)',
    )
    .addOption(allowDecidingOption('as `seatrial judge`'))
    .addOption(mustFixOption('as `seatrial judge`'))
    .addOption(acceptOption('as `seatrial judge`'))
    .option('--timeout <seconds>', 'time limit of the tests', wholeNumber('--timeout', 1))
    .option('--summary <file>', 'append the report as Markdown to this file (default: GITHUB_STEP_SUMMARY)')
    .addOption(workspaceOption('as `seatrial judge`'))
    .addOption(runsToWriteOption())
    .addOption(jsonOption('print the report as JSON'));
  return parseAndRun(
    handledBy(command, (_none, options) => judgeChange(options)),
    args,
  );
}

async function judgeChange(flags: Flags): Promise<ExitCode> {
  const { env } = process;
  const repo = repositoryAround(resolve(flags.repo)).root;
  const base =
    flags.base ?? (await findBase(repo, flags.commit, baseOfEvent(env, readEvent(env['GITHUB_EVENT_PATH']))));
  const report = await judgeCommit({ ...flags, repo, base });
  if (flags.json === true) print(true, report, () => []);
  else for (const line of linesFor(report, repo, env['GITHUB_ACTIONS'] === 'true')) process.stdout.write(`${line}\n`);
  const summary = flags.summary ?? env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') writeSummary(summary, report);
  const outputs = env['GITHUB_OUTPUT'];
  if (outputs !== undefined && outputs !== '') writeOutputs(outputs, outputsOf(report, base));
  return exitCodeForReport(report, ALL_REASONS);
}

function linesFor(report: Report, repo: string, onGitHub: boolean): readonly string[] {
  const lines = reportLines([report], 1);
  if (!onGitHub) return lines;
  const isFile = (path: string): boolean => statSync(join(repo, path), { throwIfNoEntry: false })?.isFile() === true;
  // The report quotes what tests printed, which must not be taken for workflow commands.
  const token = randomUUID();
  return [
    `::stop-commands::${token}`,
    ...lines,
    `::${token}::`,
    ...annotationsOf(report, ALL_REASONS, isFile).map(workflowCommand),
  ];
}

const outputsOf = ({ status, proof, run_id: runId, run_dir: dir, judged_commit: commit }: Report, base: string) => ({
  status,
  proof: proof ?? '',
  'run-id': runId,
  bundle: dir,
  commit: commit ?? '',
  base,
});
