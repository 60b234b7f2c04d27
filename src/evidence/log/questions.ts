import type { RunEvent } from '../schema/events.ts';

export interface OpenQuestion {
  readonly id: string;
  readonly action: string;
  readonly at: string;
  /** When it counts as denied; null: it has no time limit. */
  readonly answerBy: string | null;
}

/** Questions of a run that have no answer yet, in the order in which they were asked. */
export function unansweredQuestions(events: readonly RunEvent[]): readonly OpenQuestion[] {
  const open = new Map<string, OpenQuestion>();
  for (const event of events) {
    if (event.type === 'approval.requested') {
      const { id, action, answer_by: answerBy = null } = event.data;
      open.set(id, { id, action, at: event.time, answerBy });
    }
    if (event.type === 'approval.granted' || event.type === 'approval.denied') open.delete(event.data.id);
  }
  return [...open.values()];
}
