import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolSearch } from '../../confine/tools/toolchain.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { readImageTask } from '../../task/image/image-task.ts';
import { layoutOf } from '../../task/image/layout.ts';
import { readTask } from '../../task/task-directory.ts';
import type { RunRequest } from '../request.ts';
import { readMachine } from './machine.ts';
import { layImageTask } from './prepare-task.ts';

/** A task directory, ready to run. */
export interface OpenedTask extends Pick<RunRequest, 'terms' | 'inputs' | 'solutionDir' | 'taskDir'> {
  readonly taskDir: string;
  /** Removes what was laid out for it. */
  dispose(): Promise<void>;
}

/** Opens a task directory of any layout. Throws for one with faults, and for one whose image this machine cannot stand in for. */
export async function openTask(dir: string, tools: Omit<ToolSearch, 'needsModule'>): Promise<OpenedTask> {
  const layout = layoutOf(dir);
  if (layout === null || layout === 'seatrial') {
    const { terms, filesDir, testsDir, solutionDir } = readTask(dir);
    return { terms, inputs: { filesDir, testsDir }, solutionDir, taskDir: dir, dispose: () => Promise.resolve() };
  }
  const task = readImageTask(dir, layout);
  const machine = await readMachine(tools);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-task-'));
  const dispose = (): Promise<void> => removeTree(scratch);
  try {
    const { terms, filesDir, testsDir, solutionDir } = layImageTask(task, machine, scratch);
    return { terms, inputs: { filesDir, testsDir }, solutionDir, taskDir: dir, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
