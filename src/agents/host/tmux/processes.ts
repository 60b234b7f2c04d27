import { Descendants } from '../../../confine/processes/descendants.ts';
import { killNow, type ProcessRef, refOf, untilDead } from '../../../confine/processes/process-life.ts';

const GRACE_MS = 1000;

export function processesBelow(pid: number): readonly ProcessRef[] {
  return new Descendants(pid).list().flatMap((one) => refOf(one) ?? []);
}

/** A closed terminal hangs up on its processes; those that live on after a moment are killed. */
export async function endProcesses(processes: readonly ProcessRef[]): Promise<void> {
  const all = Promise.all(processes.map(untilDead));
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), GRACE_MS)));
  if ((await Promise.race([all, grace])) === 'late') for (const one of processes) killNow(one);
  clearTimeout(timer);
  await all;
}
