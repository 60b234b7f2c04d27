import type { TestStep } from '../command/test-plan.ts';

/**
 * Prefixes for the ids of each runner, so that ids are unique: its directory if that is enough, otherwise its command. All null if
 * there is one runner.
 */
export function labelSteps(steps: readonly TestStep[]): readonly (string | null)[] {
  const runners = steps.filter(({ kind }) => kind === 'tests');
  if (runners.length < 2) return steps.map(() => null);
  const dirOf = ({ command }: TestStep): string => command.dir ?? '.';
  const isDirEnough = new Set(runners.map(dirOf)).size === runners.length;
  const taken = new Map<string, number>();
  return steps.map((step) => {
    if (step.kind !== 'tests') return null;
    const dir = dirOf(step);
    const label = isDirEnough ? dir : dir === '.' ? step.text : `${dir} (${step.text})`;
    const times = (taken.get(label) ?? 0) + 1;
    taken.set(label, times);
    return times === 1 ? label : `${label} [${times}]`;
  });
}
