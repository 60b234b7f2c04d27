import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { makeCommandScratch } from '../../confine/scratch.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import { reasonTexts } from '../../evidence/reasons/reason.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { copyTree } from '../../task/tree/copy.ts';
import { dirsOfSettings } from '../run-source.ts';
import { sealedDirOf } from '../flags/sealed.ts';
import { repositoryAround } from '../../task/repository-around.ts';
import { judgeRepo, type RepoResult } from '../../run/judge/repository/judge-repo.ts';
import { noteWithIsolation } from '../../run/judge/results/isolation-note.ts';
import {
  acceptOption,
  allowDecidingOption,
  flagName,
  handledBy,
  jsonOption,
  mustFixOption,
  parseAndRun,
  runsToWriteOption,
  sealedOption,
  wholeNumber,
  workspaceOption,
} from '../options.ts';
import type { JudgeFlags } from '../judge-bundle.ts';
import { print } from '../print.ts';
import { judgeLines } from '../print/judge-lines.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { openBaseCache } from '../environment/base-cache.ts';
import { readSettings } from '../environment/settings.ts';
import { createJudgeEnvironment } from '../environment/run-environment.ts';

interface Flags extends JudgeFlags {
  readonly base?: string | undefined;
  readonly isolation: 'black_box' | 'in_process';
  readonly bundle?: true | undefined;
}

export function judgeCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('judge')
    .description(
      'Judge a commit by its tests, and with --base by the tests of an earlier commit, in sandboxed copies made from git objects alone.',
    )
    .option('--repo <dir>', 'repository', '.')
    .option('--commit <name>', 'commit, branch or tag', 'HEAD')
    .option(
      '--base <name>',
      'commit before the change: each of its tests must run again, and none that passed may fail',
    )
    .option(
      '--test <command>',
      'test command, such as "python3 -m pytest -q" (default: test_command in .seatrial/task.toml of the base)',
    )
    .addOption(allowDecidingOption('with --base'))
    .addOption(mustFixOption('with --base'))
    .addOption(acceptOption('with --base'))
    .addOption(sealedOption(null))
    .addOption(
      new Option('--isolation <kind>', 'how tests and code are kept apart; black_box requires --sealed')
        .choices(['in_process', 'black_box'] as const)
        .default('in_process' as const),
    )
    .option(
      '--timeout <seconds>',
      'time limit of the tests (default: 300, or with --bundle that of .seatrial/task.toml)',
      wholeNumber('--timeout', 1),
    )
    .option(
      '--setup <command>',
      'with --base: setup command, run with network access (default: detected from the lockfile; "" to skip)',
    )
    .option('--bundle', 'with --base: keep a signed evidence bundle of the judgement, which `seatrial verify` checks')
    .addOption(workspaceOption('with --base'))
    .addOption(runsToWriteOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, (_args, options) => judgeOne(options)),
    args,
  );
}

async function judgeOne(flags: Flags): Promise<ExitCode> {
  if (flags.isolation === 'black_box' && flags.sealed === undefined)
    throw new SeatrialError('usage', '--isolation black_box requires --sealed <dir>');
  const stray = (['allowDeciding', 'mustFix', 'accept', 'setup', 'workspace'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (flags.base === undefined && stray !== undefined)
    throw new SeatrialError('usage', `${flagName(stray)} requires --base`);
  if (flags.bundle === true) return judgeWithBundle(flags);
  if (flags.runs !== undefined) throw new SeatrialError('usage', '--runs requires --bundle');
  const environment = createJudgeEnvironment(readSettings(process.cwd()));
  const { cacheDir } = environment.provision;
  const scratch = makeCommandScratch('judge');
  try {
    const repo = repositoryAround(resolve(flags.repo)).root;
    const judged = await judgeRepo({
      environment: { ...environment, ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }) },
      cache: openBaseCache(),
      repo,
      guardedPaths: dirsOfSettings(repo, flags),
      commit: flags.commit,
      ...(flags.base === undefined ? {} : { base: flags.base }),
      ...(flags.test === undefined ? {} : { testCommand: flags.test }),
      judging: {
        allow_deciding: [...(flags.allowDeciding ?? [])],
        must_fix: [...(flags.mustFix ?? [])],
        ...(flags.accept === undefined ? {} : { accept: flags.accept }),
      },
      sealedTests: flags.sealed === undefined ? null : copySealed(flags.sealed, join(scratch, 'sealed'), flags),
      isolation: flags.isolation,
      timeoutMs: (flags.timeout ?? 300) * 1000,
      nonce: randomBytes(16).toString('hex'),
      scratch,
      mask: new Masker(environment.secrets),
      tools: environment.tools,
      setup: {
        cache:
          cacheDir === null ? { kind: 'none' } : { kind: 'fill', dir: cacheDir, key: loadOrCreateKey(process.env) },
        env: environment.provision.env,
        files: environment.provision.files,
        mask: new Masker(environment.secrets).with(environment.provision.secrets),
        ...(flags.setup === undefined ? {} : { command: flags.setup }),
      },
      signal: interruptible(),
    });
    // Nobody has to be warned of a forgery that did not work.
    const result = judged.passed ? { ...judged, note: noteWithIsolation(judged) } : judged;
    print(flags.json, asJson(result), () => judgeLines(result));
    return EXIT[result.verdict];
  } finally {
    await removeTree(scratch);
  }
}

async function judgeWithBundle({ base, isolation, ...flags }: Flags): Promise<ExitCode> {
  if (base === undefined)
    throw new SeatrialError('usage', '--bundle requires --base <commit>: without it there is no proof to keep');
  if (isolation === 'black_box') throw new SeatrialError('usage', '--bundle judges in_process; leave --isolation out');
  const { judgeIntoBundle } = await import('../judge-bundle.ts');
  return judgeIntoBundle({ ...flags, base });
}

function copySealed(given: string, to: string, { isolation }: Flags): string {
  const from = sealedDirOf(given);
  if (isolation === 'black_box' && !existsSync(join(from, 'tests')))
    throw new SeatrialError('usage', `--isolation black_box needs the sealed tests below ${join(from, 'tests')}`);
  copyTree(from, to);
  return to;
}

/** Reasons as texts, as this output has always had them, and their codes. */
function asJson(result: RepoResult): object {
  const { faults, protocolFaults, base } = result;
  return {
    ...result,
    faults: reasonTexts(faults),
    codes: faults.map(({ code }) => code),
    protocolFaults: reasonTexts(protocolFaults),
    base: base && { ...base, faults: reasonTexts(base.faults) },
  };
}
