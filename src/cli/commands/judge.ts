import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { openConfinement } from '../../confine/open.ts';
import { makeScratch } from '../../confine/scratch.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { regressionsIn } from '../../evidence/report/before-after.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { beforeAfterText } from '../../evidence/report/render/test-rows.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { judgeRepo, type RepoResult } from '../../run/judge/judge-repo.ts';
import { handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { interruptible } from '../interrupt.ts';
import { readSettings } from '../environment/settings.ts';
import { createJudgeEnvironment } from '../environment/run-environment.ts';

interface Flags {
  readonly repo: string;
  readonly commit: string;
  readonly base?: string;
  readonly test: string;
  readonly sealed?: string;
  readonly isolation: 'black_box' | 'in_process';
  readonly timeout: number;
  readonly json?: true;
}

export function judgeCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('judge')
    .description(
      'Judge a commit by its tests, and with --base by the tests of the commit before it, in confined cold copies: nothing of the repository but its objects takes part. Keeps no bundle.',
    )
    .option('--repo <dir>', 'the repository', '.')
    .option('--commit <name>', 'a commit, branch or tag', 'HEAD')
    .option(
      '--base <name>',
      'the commit before the change: every test that runs there must run again, and none that passes there may fail',
    )
    .requiredOption('--test <command>', 'the test command, for example "python3 -m pytest -q" or "node --test"')
    .option('--sealed <dir>', "tests to judge by, laid over the copy's tests/ folder, instead of its own")
    .addOption(
      new Option('--isolation <kind>', 'black_box needs --sealed tests')
        .choices(['in_process', 'black_box'])
        .default('in_process'),
    )
    .option('--timeout <seconds>', 'how long the tests may take', wholeNumber('--timeout', 1), 300)
    .option('--json', 'print the result as JSON');
  return parseAndRun(
    handledBy(command, (_args, options) => judgeOne(options as unknown as Flags)),
    args,
  );
}

async function judgeOne(flags: Flags): Promise<ExitCode> {
  if (flags.isolation === 'black_box' && flags.sealed === undefined)
    throw new SeatrialError('usage', '--isolation black_box needs --sealed <dir>');
  const site = createJudgeEnvironment(readSettings(process.cwd()));
  const scratch = makeScratch();
  try {
    const confinement = await openConfinement({
      kind: site.confine,
      scratch,
      covered: site.covered,
      readOnly: site.readOnly.map((path) => ({ source: path, target: path, mode: 'ro' })),
    });
    const own = join(scratch, 'repo');
    mkdirSync(own);
    const result = await judgeRepo({
      repo: resolve(flags.repo),
      commit: flags.commit,
      ...(flags.base === undefined ? {} : { base: flags.base }),
      testCommand: flags.test,
      sealedTests: flags.sealed === undefined ? null : copyTests(resolve(flags.sealed), join(scratch, 'tests')),
      isolation: flags.isolation,
      timeoutMs: flags.timeout * 1000,
      nonce: randomBytes(16).toString('hex'),
      scratch: own,
      confinement,
      mask: new Masker(site.secrets),
      tools: site.tools,
      signal: interruptible(),
    });
    print(result, flags.json === true);
    return EXIT[result.verdict];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function copyTests(from: string, to: string): string {
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SeatrialError('usage', `${from} is not a folder with tests`);
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  return to;
}

function print(result: RepoResult, json: boolean): void {
  if (json) {
    process.stdout.write(prettyJson(result));
    return;
  }
  for (const { id, outcome } of result.seen) process.stdout.write(`${outcome.padEnd(8)} ${safeLine(id)}\n`);
  const reasons = result.faults.length === 0 ? '' : `: ${safeLine(result.faults.join('; '))}`;
  process.stdout.write(`\n${result.verdict.toUpperCase()}  ${result.commit}${reasons}\n`);
  for (const line of baseLines(result)) process.stdout.write(`      ${safeLine(line)}\n`);
  if (result.note !== null) process.stdout.write(`      note: ${result.note}\n`);
  if (!result.passed && result.output.trim() !== '')
    process.stdout.write(`\n${result.output.split('\n').map(safeLine).join('\n')}\n`);
}

function baseLines({ base }: RepoResult): readonly string[] {
  if (base === null) return ['note: without --base nothing shows whether tests were removed or skipped'];
  return [
    `base ${base.commit}: ${beforeAfterText(base.tests)}`,
    ...regressionsIn(base.tests).flatMap(({ what, ids }) => ids.map((id) => `${what}: ${id}`)),
  ];
}
