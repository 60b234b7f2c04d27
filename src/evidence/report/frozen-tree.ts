import type { EventData, RunEvent } from '../schema/events.ts';
import type { FrozenTree } from '../schema/report.ts';

/** The report's `frozen_tree`, derived from the events; `otherwise` is the detail if the tree was not examined. */
export function frozenTreeOf(events: readonly RunEvent[], otherwise: string): FrozenTree {
  const checked = events.findLast((event) => event.type === 'git.diff.checked');
  if (checked?.type === 'git.diff.checked') return examinedTree(checked.data);
  const started = events.some((event) => event.type === 'backend.started');
  return { examined: 'no', detail: started ? otherwise : 'the engine was not started' };
}

const SHOWN = 5;

function examinedTree({ not_kept: missing = [] }: EventData<'git.diff.checked'>): FrozenTree {
  if (missing.length === 0) return { examined: 'complete', detail: null };
  const left = missing.length - SHOWN;
  return {
    examined: 'partial',
    detail: `not kept: ${missing.slice(0, SHOWN).join('; ')}${left > 0 ? `; and ${left} more` : ''}`,
  };
}
