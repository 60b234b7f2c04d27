import type { EngineEvent } from './definition.ts';

/** Joins the parts of a message that come one after another. The last message stays partial while it may go on. */
export function joinPartial(events: readonly EngineEvent[]): readonly EngineEvent[] {
  const joined: EngineEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last?.type === 'engine.message' && last.partial === true) {
      joined.pop();
      const isPart = event.type === 'engine.message' && event.partial === true;
      const text = isPart ? last.data.text + event.data.text : last.data.text;
      joined.push(isPart ? { ...last, data: { text } } : { type: last.type, data: { text } });
      if (isPart) continue;
    }
    joined.push(event);
  }
  return joined.filter(
    (event) => event.type !== 'engine.message' || event.partial === true || event.data.text.trim() !== '',
  );
}

/** The same when nothing follows. */
export function joinMessages(events: readonly EngineEvent[]): readonly EngineEvent[] {
  return joinPartial(events).flatMap((event) =>
    event.type === 'engine.message' ? wholeMessage(event.data.text) : [event],
  );
}

function wholeMessage(text: string): readonly EngineEvent[] {
  return text.trim() === '' ? [] : [{ type: 'engine.message', data: { text } }];
}
