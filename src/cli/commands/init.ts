import { existsSync, lstatSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeTemporary } from '../../evidence/bundle/temporary.ts';
import { Command } from '@commander-js/extra-typings';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { plural } from '../../evidence/report/render/text/words.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { isFailing } from '../../run/judge/change/compare.ts';
import { keepRecordWith, type Survey, surveyRepository } from '../../run/survey.ts';
import type { RunEnvironment } from '../../run/request.ts';
import { type Defaults, defaultsText } from '../../task/defaults-text.ts';
import { type Detected, detectProject } from '../../task/detect.ts';
import { gitInPlace } from '../../task/git/call.ts';
import { takeRepository } from '../../task/own-repository.ts';
import { projectFiles } from '../../task/project-files.ts';
import { repositoryAround } from '../../task/repository-around.ts';
import { REPOSITORY_DEFAULTS, uncommittedDefaults } from '../../task/uncommitted.ts';
import { askYesNo } from '../terminal/ask-person.ts';
import { createRunEnvironment, forRepository } from '../environment/run-environment.ts';
import { readSettings } from '../environment/settings.ts';
import {
  type InitAttempt,
  attemptsFor,
  bestOf,
  isWorthTrying,
  outcomeText,
  type Tried,
  writtenSetup,
} from '../init-attempts.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { showProgress } from '../print/progress.ts';
import { surveyLines, unusableLines } from '../print/survey-lines.ts';

interface Flags {
  readonly test?: string | undefined;
  readonly setup?: string | undefined;
  readonly timeout: number;
  readonly yes?: true | undefined;
  readonly force?: true | undefined;
  readonly dryRun?: true | undefined;
}

export function initCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('init')
    .description(
      `Find out how a repository is set up and tested, run its tests once in a sandboxed copy of HEAD, and write what worked to ${REPOSITORY_DEFAULTS}.`,
    )
    .argument('[dir]', 'the repository', '.')
    .option('--test <command>', 'test command (default: detected)')
    .option('--setup <command>', 'setup command, run with network access (default: detected; "" for none)')
    .option('--timeout <seconds>', 'time limit of the tests', wholeNumber('--timeout', 1), 900)
    .option('--yes', 'write failing tests as known_failing, and accept an exit code, without asking')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'print the file instead of writing it');
  return parseAndRun(
    handledBy(command, ([dir], flags) => init(resolve(dir), flags)),
    args,
  );
}

async function init(dir: string, flags: Flags): Promise<ExitCode> {
  const { root, below } = repositoryAround(dir);
  const file = join(root, REPOSITORY_DEFAULTS);
  if (!existsSync(join(root, '.git')))
    throw new SeatrialError(
      'usage',
      `${root} is not a git repository with a work tree; give the directory that contains .git`,
    );
  refuseLinks(root, file);
  const scratch = makeTemporary('init');
  try {
    const { filesDir } = await takeRepository({ path: root, commit: 'HEAD', dirty: false, scratch });
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined && flags.force !== true && flags.dryRun !== true)
      throw new SeatrialError(
        'usage',
        `${file} already exists; edit it, or overwrite it with --force${uncommittedText(root, filesDir)}`,
      );
    const found = detectProject(projectFiles(filesDir));
    const caller = createRunEnvironment(readSettings(process.cwd()), { confine: 'bubblewrap' });
    const environment = forRepository(caller, root, filesDir);
    const tried = await tryAttempts(environment, filesDir, { found, below }, flags);
    const best = bestOf(tried);
    if (best === undefined) throw new Error('no attempt was made');
    const others = otherLines(tried, best);
    if (best.survey.kind === 'unusable') {
      process.stderr.write(`${[...others, ...unusableLines(best.survey), '', ...nextAfter(best)].join('\n')}\n`);
      return EXIT.blocked;
    }
    process.stderr.write(`${[...others, ...surveyLines(best.survey, projectFiles(filesDir).paths)].join('\n')}\n`);
    const defaults = await defaultsOf(best, best.survey, found, flags);
    const text = defaultsText(defaults);
    if (flags.dryRun === true) {
      process.stdout.write(text);
      return EXIT.pass;
    }
    write(file, text);
    // The next run starts from the commit that adds this file: its tests need not run once more for that.
    write(join(filesDir, REPOSITORY_DEFAULTS), text);
    keepRecordWith(REPOSITORY_DEFAULTS, { filesDir, survey: best.survey, cacheDir: environment.tools.cacheDir });
    process.stdout.write(nextSteps(root, defaults, await isIgnored(root)));
    return EXIT.pass;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function uncommittedText(root: string, filesDir: string): string {
  const sentence = uncommittedDefaults(root, filesDir);
  return sentence === null ? '' : `. ${sentence}`;
}

/** Tries until no test fails, or nothing more can be gained. */
async function tryAttempts(
  environment: RunEnvironment,
  filesDir: string,
  { found, below }: { readonly found: Detected; readonly below: string },
  flags: Flags,
): Promise<readonly Tried[]> {
  const attempts = attemptsFor(found, flags);
  if (attempts.length === 0) {
    const command = below === '' ? '<command>' : `cd ${below} && <command>`;
    throw new SeatrialError(
      'blocked',
      `no test command found at the root of this repository; give it with --test '${command}'`,
    );
  }
  const signal = interruptible();
  const progress = showProgress(process.stderr.isTTY ? 'live' : 'none', process.stderr, 'trying');
  const tried: Tried[] = [];
  try {
    for (const attempt of attempts) {
      if (!isWorthTrying(attempt, tried, found)) continue;
      const commands = commandsText(attempt);
      progress.activity(commands);
      if (!process.stderr.isTTY) process.stderr.write(`trying: ${safeLine(commands)}\n`);
      const survey = await surveyRepository({
        environment,
        filesDir,
        testCommand: attempt.test,
        setupCommand: attempt.setup,
        timeoutMs: flags.timeout * 1000,
        signal,
        onLine: (line) => progress.activity(line),
      });
      if (signal.aborted) throw new SeatrialError('blocked', 'interrupted; nothing was written');
      tried.push({ ...attempt, survey });
    }
  } finally {
    progress.end();
  }
  return tried;
}

const commandsText = ({ test, setup }: InitAttempt): string => (setup === null ? test : `${setup}; ${test}`);

/** Attempts that came to less than the one that was chosen. */
function otherLines(tried: readonly Tried[], best: Tried): string[] {
  return tried
    .filter((one) => one !== best)
    .map((one) => `also tried  ${safeLine(commandsText(one))}: ${safeLine(outcomeText(one.survey))}`);
}

const MIN_TIMEOUT_SEC = 300;

async function defaultsOf(
  tried: Tried,
  { record }: Extract<Survey, { kind: 'recorded' }>,
  found: Detected,
  { yes }: Flags,
): Promise<Defaults> {
  const stable = new Set(record.flaky);
  const failing = record.tests
    .filter(isFailing)
    .map(({ id }) => id)
    .filter((id) => !stable.has(id));
  const agreed = async (question: string): Promise<'active' | 'proposed'> =>
    yes === true || (await askYesNo(question)) === true ? 'active' : 'proposed';
  // Judging runs the suite several times under a tracer, and a loaded machine is slower.
  const limit = Math.ceil((record.duration_ms * 5) / 60_000) * 60;
  return {
    testCommand: tried.test,
    setupCommand: writtenSetup(tried, found),
    verifierTimeoutSec: Math.max(MIN_TIMEOUT_SEC, limit),
    knownFailing: {
      tests: failing,
      written:
        failing.length === 0
          ? 'proposed'
          : await agreed(
              `Take ${plural(failing.length, 'failing test')} out of the vote (known_failing)? Say no if a change is to fix them.`,
            ),
    },
    acceptExitCode:
      record.tests.length > 0 ? null : await agreed('Judge changes by this exit code alone (accept = "exit_code")?'),
  };
}

function write(file: string, text: string): void {
  try {
    makeDirs(dirname(file));
    writeWhole(file, text);
  } catch (error) {
    throw new SeatrialError('usage', `${file} cannot be written: ${messageOf(error)}`, error);
  }
}

/** Whether git needs to be told that the file is meant to be committed. */
function isIgnored(root: string): Promise<boolean> {
  const asked = ['check-ignore', '--quiet', REPOSITORY_DEFAULTS];
  return gitInPlace(asked, { cwd: root, caller: process.env }).then(
    () => true,
    () => false,
  );
}

function nextSteps(root: string, { acceptExitCode }: Defaults, ignored: boolean): string {
  const repo = relative(process.cwd(), root) || '.';
  const git = repo === '.' ? 'git' : `git -C ${repo}`;
  return [
    `wrote ${join(repo, REPOSITORY_DEFAULTS)}; review it, then:`,
    ...(acceptExitCode === 'proposed'
      ? ['  uncomment accept = "exit_code" in it, or every run is blocked: the test command reports no tests by name']
      : []),
    `  ${git} add ${ignored ? '--force ' : ''}${REPOSITORY_DEFAULTS} && ${git} commit -m 'How this repository is tested'`,
    `  seatrial run --repo ${repo} --ask '…'    # asks which agent to use; \`seatrial doctor\` lists yours`,
    '',
  ].join('\n');
}

function nextAfter({ test, setup }: InitAttempt): string[] {
  return [
    `tried: ${test}${setup === null ? '' : ` after ${setup}`}. Nothing was written.`,
    "next: make the tests run, or give other commands: seatrial init --test '<command>' --setup '<command>'",
  ];
}
