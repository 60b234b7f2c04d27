import type { RunEvent } from '../schema/events.ts';

export interface OpenQuestion {
  readonly id: string;
  readonly action: string;
}

/** Questions of a run that have no answer yet, in the order in which they were asked. */
export function unansweredQuestions(events: readonly RunEvent[]): readonly OpenQuestion[] {
  const open = new Map<string, OpenQuestion>();
  for (const event of events) {
    if (event.type === 'approval.requested') open.set(event.data.id, event.data);
    if (event.type === 'approval.granted' || event.type === 'approval.denied') open.delete(event.data.id);
  }
  return [...open.values()];
}
