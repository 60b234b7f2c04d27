import { posix } from 'node:path';
import type { TaskFindingLine } from './many.ts';

/** Tasks that lie in one directory. */
export interface TaskSet {
  /** From the directory that was checked. */
  readonly dir: string;
  readonly tasks: number;
  readonly proven: number;
  readonly provesNothing: number;
}

/** The sets that show nothing about an engine: some of their tasks are passed without any work, and none is proven. */
export function setsThatProveNothing(lines: readonly TaskFindingLine[]): readonly TaskSet[] {
  const dirs = [...new Set(lines.map(({ task }) => posix.dirname(task)))].sort();
  return dirs
    .map((dir) => {
      const own = lines.filter(({ task }) => posix.dirname(task) === dir);
      const count = (soundness: TaskFindingLine['soundness']): number =>
        own.filter((line) => line.soundness === soundness).length;
      return { dir, tasks: own.length, proven: count('proven'), provesNothing: count('proves nothing') };
    })
    .filter(({ proven, provesNothing }) => proven === 0 && provesNothing > 0);
}

/** One sentence on a set that proves nothing. */
export function setSentence(root: string, { dir, tasks, provesNothing }: TaskSet): string {
  const many = `${provesNothing} of ${tasks} tasks can be passed without any work`;
  return `the set ${posix.join(root, dir)} proves nothing: ${many}, and none is proven`;
}
