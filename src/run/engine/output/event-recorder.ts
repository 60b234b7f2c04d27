import type { EngineEvent } from '../../../engines/definition.ts';
import { joinMessages, joinPartial } from '../../../engines/partial-messages.ts';
import { MAX_ENGINE_EVENTS } from '../../../evidence/report/conversation.ts';
import type { Run } from '../../steps/state.ts';

/** Records what an engine says of itself, masked and up to a bound, and remembers what it claims. */
export class EngineEventRecorder {
  readonly claims: string[] = [];
  #count = 0;
  #held: readonly EngineEvent[] = [];
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** A message that comes in parts is recorded when the next event, or `end`, shows that it is whole. */
  record(events: readonly EngineEvent[]): void {
    const joined = joinPartial([...this.#held, ...events]);
    this.#held = joined.slice(-1).filter(({ partial }) => partial === true);
    this.#append(this.#held.length === 0 ? joined : joined.slice(0, -1));
  }

  end(): void {
    if (this.#held.length > 0) this.#append(joinMessages(this.#held));
    this.#held = [];
  }

  #append(said: readonly EngineEvent[]): void {
    const { mask, log, request } = this.#run;
    // Lines are masked before they are read, but reading may undo an escape.
    const events = mask.events(said.slice(0, Math.max(0, MAX_ENGINE_EVENTS - this.#count)));
    this.#count += said.length;
    for (const { type, data } of events) log.append(type, 'engine', data);
    for (const event of events) {
      request.watch.engineEvent(event);
      if (event.type === 'engine.tool') log.calls.toolCalled(event.data);
      if (event.type === 'engine.tool_result') log.calls.toolAnswered(event.data);
      if (event.type === 'engine.claim' && event.data.commit !== null) this.claims.push(event.data.commit);
    }
  }
}
