import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeTemporary } from '../evidence/bundle/temporary.ts';
import { removeTree } from '../evidence/storage/remove-tree.ts';
import { findRun } from '../evidence/bundle/runs.ts';
import { safeLine } from '../evidence/report/render/terminal.ts';
import { messageOf, SeatrialError } from '../kernel/errors.ts';
import type { BaseCache } from '../run/trees/base-cache.ts';
import { inputsOfRepository } from '../run/trees/cached-inputs.ts';
import type { RunRequest } from '../run/request.ts';
import { openTask } from '../run/image/open-task.ts';
import { readReplayed } from '../run/model/replay.ts';
import { termsOfAsk } from '../task/ask.ts';
import { cloneForCopying, isUrl, withoutCredentials } from '../task/git/clone.ts';
import { pathInTree } from '../task/guards/git-programs.ts';
import { repositoryAround } from '../task/repository-around.ts';
import { takeRepository } from '../task/own-repository.ts';
import { builtinTaskDirs, findTask } from '../task/task-directory.ts';
import { leftOutSentence, uncommittedDefaults } from '../task/uncommitted.ts';
import { readAdmissions } from '../admission/records/read.ts';
import { reportFieldsOf } from '../engines/list.ts';
import { verifyBundle } from '../evidence/verify/verify-bundle.ts';
import { callerTools } from './environment/run-environment.ts';
import { readSettings } from './environment/settings.ts';
import { whoseSeals } from './environment/whose-seals.ts';
import { flagName } from './options.ts';
import { refuseVisibleTests, sealedDirOf } from './flags/sealed.ts';

export interface RunSourceFlags {
  readonly replay?: string | undefined;
  readonly runs?: string | undefined;
  readonly repo?: string | undefined;
  readonly commit: string;
  readonly dirty?: true | undefined;
  readonly ask?: string | undefined;
  readonly askFile?: string | undefined;
  readonly test?: string | undefined;
  readonly setup?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly allowDeciding?: readonly string[] | undefined;
  readonly mustFix?: readonly string[] | undefined;
  readonly accept?: 'exit_code' | undefined;
  readonly sealed?: string | undefined;
  readonly history?: number | undefined;
  readonly workspace?: 'overlay' | 'copy' | undefined;
  /** What a stage lets an engine change, instead of just a copy. */
  readonly mutation?: string | undefined;
  /** A directory with `solve.sh`, for the fake engine. */
  readonly solution?: string | undefined;
}

/** Flags that mean something for a repository only. */
export const REPOSITORY_FLAGS = [
  'ask',
  'askFile',
  'test',
  'setup',
  'allow',
  'allowDeciding',
  'mustFix',
  'accept',
  'sealed',
  'dirty',
  'history',
  'workspace',
] as const;

/** What a run is asked to do: from a task directory, a repository or an earlier bundle. */
export interface RunSource extends Pick<
  RunRequest,
  'terms' | 'inputs' | 'solutionDir' | 'taskDir' | 'replay' | 'previousWork'
> {
  /** The engine of the run that is replayed. */
  readonly recordedEngine?: string;
  /** Removes temporary copies. */
  dispose(): Promise<void>;
}

/** `cache`: for files of commits; null: everything is copied for this call alone. */
export async function resolveRunSource(
  task: string | undefined,
  flags: RunSourceFlags,
  cache: BaseCache | null = null,
): Promise<RunSource> {
  if (flags.replay !== undefined) {
    if (flags.repo !== undefined)
      throw new SeatrialError('usage', '--replay takes its task from the replayed run; leave --repo out');
    return sourceFromBundle(flags.replay, task, flags.runs ?? readSettings(process.cwd()).runs, cache);
  }
  if (flags.repo !== undefined) {
    if (task !== undefined) throw new SeatrialError('usage', `give a task (${task}) or --repo, not both`);
    return sourceFromRepository(flags.repo, flags, cache);
  }
  const stray = REPOSITORY_FLAGS.find((name) => flags[name] !== undefined);
  if (stray !== undefined) throw new SeatrialError('usage', `${flagName(stray)} requires --repo`);
  if (task === undefined)
    throw new SeatrialError(
      'usage',
      'no task given; give a task directory, the name of a built-in task (`seatrial task list`), or --repo',
    );
  const tools = callerTools();
  return openTask(findTask(task, process.cwd()), tools);
}

async function sourceFromBundle(
  wanted: string,
  task: string | undefined,
  runsDir: string,
  cache: BaseCache | null,
): Promise<RunSource> {
  const bundle = findRun(runsDir, wanted);
  requireVerified(bundle);
  const given = task === undefined ? [] : [findTask(task, process.cwd())];
  const { records } = readAdmissions(readSettings(process.cwd()).admissions);
  const admitted = records.flatMap(({ record }) => (record.kind === 'task' ? [record.path] : []));
  const taskDirs = (name: string): string[] => [...given, ...builtinTaskDirs(name), ...admitted];
  const scratch = makeTemporary('replay');
  const dispose = (): Promise<void> => removeTree(scratch);
  try {
    const { engine, ...replayed } = await readReplayed(bundle, scratch, taskDirs, cache);
    return { ...replayed, recordedEngine: engine, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** What an engine is told again must be what a trusted harness recorded. */
function requireVerified(bundle: string): void {
  const options = { ...whoseSeals(undefined), now: new Date(), engineFields: reportFieldsOf };
  const { verdict, checks } = verifyBundle(bundle, options);
  if (verdict === 'verified') return;
  const fault = checks.find(({ ok }) => !ok);
  const why = fault === undefined ? verdict : `${verdict}: ${fault.name}: ${fault.detail}`;
  throw new SeatrialError('usage', safeLine(`cannot replay ${bundle}: ${why}; see \`seatrial verify\``));
}

async function sourceFromRepository(where: string, flags: RunSourceFlags, cache: BaseCache | null): Promise<RunSource> {
  const instruction = instructionOf(flags);
  const sealed = flags.sealed === undefined ? null : sealedDirOf(flags.sealed);
  const scratch = makeTemporary('ask');
  let told: Promise<void> = Promise.resolve();
  const dispose = async (): Promise<void> => {
    await told.catch(() => {});
    await removeTree(scratch);
  };
  try {
    if (isUrl(where) && flags.dirty === true)
      throw new SeatrialError('usage', '--dirty requires a repository on this machine');
    const { root: path, below } = isUrl(where)
      ? { root: await cloneForCopying(where, join(scratch, 'clone')), below: '' }
      : repositoryAround(resolve(where));
    const { commit, history, dirty = false } = flags;
    const taken = await takeRepository({ path, commit, dirty, history, scratch, cache: cache ?? undefined });
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
      below,
    );
    const settings = isUrl(where) ? null : uncommittedDefaults(path, taken.filesDir);
    for (const note of [...repository.notes, settings]) printNote(note);
    // Said as soon as it is known: the run does not wait for a look at every file of the work tree.
    told = isUrl(where) ? Promise.resolve() : taken.leftOut.then((paths) => printNote(leftOutSentence(paths)));
    if (sealed !== null) refuseVisibleTests(sealed, path, taken.filesDir);
    const inputs = inputsOfRepository(taken, sealed, cache);
    const scoped = flags.mutation === undefined ? terms : { ...terms, mutation: flags.mutation };
    return { terms: scoped, inputs, solutionDir: flags.solution ?? null, taskDir: sealed, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function printNote(note: string | null): void {
  if (note !== null) process.stderr.write(`note: ${safeLine(note)}\n`);
}

/** The runs and admissions directories of this call that lie inside the repository. */
export function dirsOfSettings(repo: string, { runs: named }: Pick<RunSourceFlags, 'runs'>): string[] {
  const { runs, admissions } = readSettings(process.cwd());
  return [named ?? runs, admissions]
    .map((dir) => pathInTree(dir, repo))
    .filter((dir) => dir !== null && dir !== '')
    .map((dir) => `${dir}/`);
}

function instructionOf({ ask, askFile }: RunSourceFlags): string {
  if (ask !== undefined && askFile !== undefined)
    throw new SeatrialError('usage', 'give --ask or --ask-file, not both');
  const text = ask ?? (askFile === undefined ? '' : readAskFile(askFile));
  if (text.trim() === '')
    throw new SeatrialError('usage', "no instruction given; give --ask '<text>' or --ask-file <file>");
  return text;
}

function readAskFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new SeatrialError('usage', `cannot read ${file}: ${messageOf(error)}`, error);
  }
}
