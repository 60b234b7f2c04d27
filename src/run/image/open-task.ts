import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporary } from '../../evidence/bundle/temporary.ts';
import type { ToolSearch } from '../../confine/tools/toolchain.ts';
import { installCommand } from '../../confine/install-command.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { type ImageTask, readImageTask } from '../../task/image/image-task.ts';
import { layoutOf } from '../../task/image/layout.ts';
import { readTask } from '../../task/task-directory.ts';
import type { RunRequest } from '../request.ts';
import { findBuilder } from './build/builders.ts';
import { buildRoot } from './build/built-root.ts';
import { type Machine, readMachine } from './machine.ts';
import { type LaidTask, layBuiltTask, layImageTask, needsImage } from './prepare-task.ts';

/** A task directory, ready to run. */
export interface OpenedTask extends Pick<RunRequest, 'terms' | 'inputs' | 'solutionDir' | 'taskDir'> {
  readonly taskDir: string;
  /** Removes what was laid out for it. */
  dispose(): Promise<void>;
}

/**
 * Opens a task directory of any layout. Throws for one with faults, and for one whose image this machine can neither stand in for nor
 * build.
 */
export async function openTask(dir: string, tools: Omit<ToolSearch, 'needsModule'>): Promise<OpenedTask> {
  const layout = layoutOf(dir);
  if (layout === null || layout === 'seatrial') {
    const { terms, filesDir, testsDir, solutionDir } = readTask(dir);
    return { terms, inputs: { filesDir, testsDir }, solutionDir, taskDir: dir, dispose: () => Promise.resolve() };
  }
  const task = readImageTask(dir, layout);
  const machine = await readMachine(tools);
  const scratch = makeTemporary('task');
  const dispose = (): Promise<void> => removeTree(scratch);
  try {
    const { terms, filesDir, testsDir, solutionDir } = await layTask(task, machine, tools, scratch);
    return { terms, inputs: { filesDir, testsDir }, solutionDir, taskDir: dir, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Where this machine cannot stand in for its image, the image is built, if there is a builder. */
async function layTask(
  task: ImageTask,
  machine: Machine,
  { path, cacheDir }: Omit<ToolSearch, 'needsModule'>,
  scratch: string,
): Promise<LaidTask> {
  try {
    return layImageTask(task, machine, makeBelow(scratch, 'stood-in'));
  } catch (error) {
    const needed = neededImage(error);
    if (needed === null || task.needsMore.length > 0 || cacheDir === null) throw error;
    const builder = await findBuilder(path);
    if (typeof builder === 'string')
      throw new Refused([
        needed,
        reason('no_image_builder', { why: builder, install: installCommand('buildah', path) }),
      ]);
    const root = await buildRoot(task, builder, cacheDir);
    if (typeof root === 'string') throw needsImage(`${whyOf(needed)}; ${builder.name} could not build it: ${root}`);
    return layBuiltTask(task, root, makeBelow(scratch, 'built'));
  }
}

function makeBelow(scratch: string, name: string): string {
  const dir = join(scratch, name);
  mkdirSync(dir);
  return dir;
}

/** Null: the error is about something else. */
function neededImage(error: unknown): Reason | null {
  return error instanceof Refused ? (error.reasons.find(({ code }) => code === 'needs_image') ?? null) : null;
}

/** What a refusal says an image is needed for; null: it is about something else. */
export function whyImage(error: unknown): string | null {
  const needed = neededImage(error);
  return needed === null ? null : whyOf(needed);
}

const whyOf = ({ text }: Reason): string => text.replace(/^needs an image: /, '');
