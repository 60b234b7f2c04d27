import { loadProject } from '../../agents/config/load.ts';
import { operate, type Operation } from '../../agents/lifecycle/operate.ts';
import { requirePinned } from '../../fleet/pin/check.ts';
import { systemClock } from '../../kernel/clock.ts';

/** For commands that start something: refused if the project is pinned to another Seatrial. */
export async function withPinnedOperation<T>(dir: string, work: (operation: Operation) => Promise<T>): Promise<T> {
  const project = loadProject(dir);
  await requirePinned(project.dir, process.env);
  return operate(project, { env: process.env, clock: systemClock }, work);
}

export function withOperation<T>(dir: string, work: (operation: Operation) => Promise<T>): Promise<T> {
  return operate(loadProject(dir), { env: process.env, clock: systemClock }, work);
}
