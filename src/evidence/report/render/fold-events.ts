import type { RunEvent } from '../../schema/events.ts';

/** One line of the timeline: a single event, or several equivalent events of one step. */
export interface Line {
  readonly step: string;
  readonly first: RunEvent;
  readonly last: RunEvent;
  /** Number of events, including `first` and `last`. */
  readonly events: readonly RunEvent[];
}

/** Fewer events are faster to read than their summary. */
const MANY = 6;

/** Folds repeated events, so that a thousand model requests do not bury everything else. */
export function foldEvents(events: readonly RunEvent[], stepOf: (event: RunEvent) => string): readonly Line[] {
  const steps: { readonly name: string; readonly events: RunEvent[] }[] = [];
  for (const event of events) {
    const name = stepOf(event);
    const step = steps.at(-1);
    if (step?.name === name) step.events.push(event);
    else steps.push({ name, events: [event] });
  }
  return steps.flatMap((step) => foldStep(step.name, step.events));
}

function foldStep(step: string, events: readonly RunEvent[]): readonly Line[] {
  const alike = new Map<string, RunEvent[]>();
  for (const event of events) {
    const key = sayingOf(event);
    const same = key === null ? undefined : alike.get(key);
    if (same !== undefined) same.push(event);
    else if (key !== null) alike.set(key, [event]);
  }
  return events.flatMap((event): readonly Line[] => {
    const same = alike.get(sayingOf(event) ?? '') ?? [];
    if (same.length < MANY) return [{ step, first: event, last: event, events: [event] }];
    return same[0] === event ? [{ step, first: event, last: same.at(-1) ?? event, events: same }] : [];
  });
}

/** Equal for events that may share a line; null if the event needs its own. A refusal always does. */
function sayingOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'gate.checked':
      return event.data.passed ? event.type : null;
    case 'model.request':
      return `${event.type} ${event.data.http_status} ${event.data.provider} ${event.data.model}`;
    case 'model.refused':
      return `${event.type} ${event.data.reason}`;
    default:
      return null;
  }
}
