import type { EventType, RunEvent } from '../schema/events.ts';

export function lastOf<T extends EventType>(
  events: readonly RunEvent[],
  type: T,
): Extract<RunEvent, { type: T }> | null {
  const isWanted = (event: RunEvent): event is Extract<RunEvent, { type: T }> => event.type === type;
  return events.findLast(isWanted) ?? null;
}
