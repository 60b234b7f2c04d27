import { resolve } from 'node:path';
import type { TaskFact } from '../../../admission/facts.ts';
import { taskFactOf } from '../../../admission/task-fact.ts';
import type { TaskSource } from '../../../evidence/comparison/schema.ts';
import { contractOf } from '../../../task/contract-of.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { Terms } from '../../../task/contract.ts';
import { builtinTaskDirs, findTask } from '../../../task/task-directory.ts';
import { isUrl } from '../../../task/git/clone.ts';
import { resolveRunSource, type RunSource, REPOSITORY_FLAGS } from '../../run-source.ts';
import { openBaseCache } from '../../environment/base-cache.ts';
import { flagName } from '../../options.ts';
import { chosenTasks, type CompareFlags } from './flags.ts';

/** A task of a comparison, ready to run. */
export interface ComparedTask {
  readonly name: string;
  readonly source: TaskSource;
  readonly taskSha256: string;
  readonly asked: RunSource;
  /** What decides whether an engine may do it. */
  readonly fact: TaskFact;
}

/** The tasks that the flags name, each with how it is found again: whatever the current directory and the branch are then. */
export async function tasksOfFlags(flags: CompareFlags, runs: string): Promise<readonly ComparedTask[]> {
  const names = chosenTasks(flags);
  const timeoutSec = flags.timeout ?? null;
  if (names !== null) {
    const stray = REPOSITORY_FLAGS.find((name) => flags[name] !== undefined);
    if (stray !== undefined) throw new SeatrialError('usage', `${flagName(stray)} requires --repo`);
    return openAll(names.map(directorySource), timeoutSec, runs);
  }
  const asked = await resolveRunSource(undefined, { ...flags, runs }, openBaseCache());
  return disposingOnError([asked], async () => [
    await describeTask(repositorySource(flags, asked.terms), asked, timeoutSec),
  ]);
}

/** The tasks of a plan, as they are now. */
export function openAll(
  sources: readonly TaskSource[],
  timeoutSec: number | null,
  runs: string,
): Promise<readonly ComparedTask[]> {
  const opened: RunSource[] = [];
  return disposingOnError(opened, async () => {
    const tasks: ComparedTask[] = [];
    for (const source of sources) {
      const flags = source.kind === 'repository' ? { ...source, runs } : { commit: 'HEAD', runs };
      const path = source.kind === 'directory' ? source.path : undefined;
      const asked = await resolveRunSource(path, flags, openBaseCache());
      opened.push(asked);
      tasks.push(await describeTask(source, asked, timeoutSec));
    }
    const twice = tasks.find(({ name }, index) => tasks.findIndex((other) => other.name === name) < index);
    if (twice !== undefined)
      throw new SeatrialError('usage', `two tasks are called ${twice.name}; rename one of their directories`);
    return tasks;
  });
}

function directorySource(named: string): TaskSource {
  const dir = findTask(named, process.cwd());
  return { kind: 'directory', path: builtinTaskDirs(named).includes(dir) ? named : dir };
}

function repositorySource(flags: CompareFlags, terms: Terms): TaskSource {
  const repo = flags.repo ?? '.';
  return {
    kind: 'repository',
    repo: isUrl(repo) ? repo : resolve(repo),
    commit: flags.dirty === true ? flags.commit : (terms.repository?.commit ?? flags.commit),
    ask: terms.instruction,
    ...(flags.dirty === true ? { dirty: true } : {}),
    ...(flags.test === undefined ? {} : { test: flags.test }),
    ...(flags.setup === undefined ? {} : { setup: flags.setup }),
    ...(flags.allow === undefined ? {} : { allow: [...flags.allow] }),
    ...(flags.allowDeciding === undefined ? {} : { allowDeciding: [...flags.allowDeciding] }),
    ...(flags.mustFix === undefined ? {} : { mustFix: [...flags.mustFix] }),
    ...(flags.accept === undefined ? {} : { accept: flags.accept }),
    ...(flags.sealed === undefined ? {} : { sealed: resolve(flags.sealed) }),
    ...(flags.history === undefined ? {} : { history: flags.history }),
    ...(flags.mutation === undefined ? {} : { mutation: flags.mutation }),
    ...(flags.solution === undefined ? {} : { solution: flags.solution }),
  };
}

async function describeTask(source: TaskSource, found: RunSource, timeoutSec: number | null): Promise<ComparedTask> {
  const terms = timeoutSec === null ? found.terms : { ...found.terms, agent_timeout_sec: timeoutSec };
  const asked = { ...found, terms };
  const fact = taskFactOf(contractOf({ ...asked.inputs, terms }));
  return { name: terms.task, source, taskSha256: fact.sha256, asked, fact };
}

async function disposingOnError<T>(opened: readonly RunSource[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await Promise.all(opened.map((source) => source.dispose()));
    throw error;
  }
}
