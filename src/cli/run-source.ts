import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findRun } from '../evidence/bundle/runs.ts';
import { messageOf, SeatrialError } from '../kernel/errors.ts';
import type { RunRequest } from '../run/request.ts';
import { readReplayed } from '../run/model/replay.ts';
import { termsOfAsk } from '../task/ask.ts';
import { cloneForCopying, isUrl, withoutCredentials } from '../task/git/clone.ts';
import { pathInTree } from '../task/guards/git-programs.ts';
import { takeRepository } from '../task/own-repository.ts';
import { findTask, readTask } from '../task/task-directory.ts';
import { readSettings } from './environment/settings.ts';

export interface RunSourceFlags {
  readonly replay?: string;
  readonly runs?: string;
  readonly repo?: string;
  readonly commit: string;
  readonly dirty?: true;
  readonly ask?: string;
  readonly askFile?: string;
  readonly test?: string;
  readonly setup?: string;
  readonly allow?: readonly string[];
  readonly allowDeciding?: readonly string[];
  readonly mustFix?: readonly string[];
  readonly accept?: 'exit_code';
}

/** What was asked, wherever it came from. */
export interface RunSource extends Pick<RunRequest, 'terms' | 'inputs' | 'solutionDir' | 'taskDir' | 'replay'> {
  /** Who did it before, of a run that is to be repeated. */
  readonly recordedEngine?: string;
  /** Removes copies that were made to read it. */
  dispose(): void;
}

export async function resolveRunSource(task: string | undefined, flags: RunSourceFlags): Promise<RunSource> {
  if (flags.replay !== undefined) {
    const other = task ?? (flags.repo === undefined ? undefined : '--repo');
    if (other !== undefined)
      throw new SeatrialError('usage', `--replay repeats what that run was asked: leave ${other} out`);
    return sourceFromBundle(flags.replay, flags.runs ?? readSettings(process.cwd()).runs);
  }
  if (flags.repo !== undefined) {
    if (task !== undefined) throw new SeatrialError('usage', `give a task (${task}) or --repo, not both`);
    return sourceFromRepository(flags.repo, flags);
  }
  const stray = (
    ['ask', 'askFile', 'test', 'setup', 'allow', 'allowDeciding', 'mustFix', 'accept', 'dirty'] as const
  ).find((name) => flags[name] !== undefined);
  if (stray !== undefined)
    throw new SeatrialError(
      'usage',
      `--${stray.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} goes with --repo`,
    );
  if (task === undefined)
    throw new SeatrialError(
      'usage',
      'which task? Give a task directory, the name of a built-in one (`seatrial task list`), or --repo',
    );
  const { terms, filesDir, testsDir, solutionDir, dir } = readTask(findTask(task, process.cwd()));
  return { terms, inputs: { filesDir, testsDir }, solutionDir, taskDir: dir, dispose: () => {} };
}

function sourceFromBundle(wanted: string, runsDir: string): RunSource {
  const bundle = findRun(runsDir, wanted);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-replay-'));
  const dispose = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    const { engine, ...replayed } = readReplayed(bundle, scratch);
    return { ...replayed, recordedEngine: engine, solutionDir: null, taskDir: null, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function sourceFromRepository(where: string, flags: RunSourceFlags): Promise<RunSource> {
  const instruction = instructionOf(flags);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-ask-'));
  const dispose = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    if (isUrl(where) && flags.dirty === true)
      throw new SeatrialError('usage', '--dirty needs a repository on this machine');
    const path = isUrl(where) ? await cloneForCopying(where, join(scratch, 'clone')) : resolve(where);
    const taken = await takeRepository({ path, commit: flags.commit, dirty: flags.dirty === true, scratch });
    const repository = {
      ...taken.repository,
      path: isUrl(where) ? withoutCredentials(where) : path,
      guarded_paths: [...(taken.repository.guarded_paths ?? []), ...dirsOfSettings(path, flags)],
    };
    const terms = termsOfAsk(
      {
        instruction,
        test: flags.test,
        setup: flags.setup,
        allow: flags.allow,
        allowDeciding: flags.allowDeciding,
        mustFix: flags.mustFix,
        accept: flags.accept,
      },
      repository,
      taken.filesDir,
    );
    for (const note of repository.notes) process.stderr.write(`note: ${note}\n`);
    const inputs = { filesDir: taken.filesDir, testsDir: null, disposable: true };
    return { terms, inputs, solutionDir: null, taskDir: null, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Where runs and admissions of this call are kept, as far as that is in the repository. */
function dirsOfSettings(repo: string, { runs: named }: RunSourceFlags): string[] {
  const { runs, admissions } = readSettings(process.cwd());
  return [named ?? runs, admissions]
    .map((folder) => pathInTree(folder, repo))
    .filter((folder) => folder !== null && folder !== '')
    .map((folder) => `${folder}/`);
}

function instructionOf({ ask, askFile }: RunSourceFlags): string {
  if (ask !== undefined && askFile !== undefined)
    throw new SeatrialError('usage', 'give --ask or --ask-file, not both');
  const text = ask ?? (askFile === undefined ? '' : readAskFile(askFile));
  if (text.trim() === '') throw new SeatrialError('usage', "what is asked? Give --ask '<text>' or --ask-file <file>");
  return text;
}

function readAskFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new SeatrialError('usage', `${file} cannot be read: ${messageOf(error)}`, error);
  }
}
