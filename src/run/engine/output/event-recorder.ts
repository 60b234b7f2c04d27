import type { EngineEvent } from '../../../engines/definition.ts';
import { joinMessages, joinPartial } from '../../../engines/partial-messages.ts';
import { toolSpan } from '../../../evidence/log/gen-ai.ts';
import { MAX_ENGINE_EVENTS } from '../../../evidence/report/conversation.ts';
import type { Masker } from '../../../evidence/secrets/mask.ts';
import type { Run } from '../../steps/state.ts';

/** What an engine says of itself, without secrets. A line is masked before it is read, but reading may undo an escape. */
export function maskEngineEvent(said: EngineEvent, mask: Masker): EngineEvent {
  switch (said.type) {
    case 'plan.updated':
      return { ...said, data: { steps: mask.texts(said.data.steps) } };
    case 'engine.message':
      return { ...said, data: { text: mask.text(said.data.text) } };
    case 'engine.session':
      return { ...said, data: { id: mask.text(said.data.id) } };
    case 'engine.tool': {
      const { name, detail, id } = said.data;
      const data = { name: mask.text(name), detail: mask.text(detail) };
      return { ...said, data: id === undefined ? data : { ...data, id: mask.text(id) } };
    }
    case 'engine.tool_result': {
      const { id, ok, detail } = said.data;
      return { ...said, data: { id: mask.text(id), ok, detail: mask.text(detail) } };
    }
    case 'engine.edit':
      return { ...said, data: { path: mask.text(said.data.path) } };
    case 'engine.usage':
      return said;
    case 'engine.claim': {
      const { commit, text } = said.data;
      return { ...said, data: { commit: commit === null ? null : mask.text(commit), text: mask.text(text) } };
    }
  }
}

/** Records what an engine says of itself, masked and up to a bound, and remembers what it claims. */
export class EngineEventRecorder {
  readonly claims: string[] = [];
  #count = 0;
  /** Tools that have been called and have not answered, by the id of the call. */
  readonly #called = new Map<string, { readonly name: string; readonly startedMono: number }>();
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
    this.#append(joinMessages(this.#held));
    this.#held = [];
  }

  #append(events: readonly EngineEvent[]): void {
    const { mask, log, request } = this.#run;
    const taken = events.slice(0, Math.max(0, MAX_ENGINE_EVENTS - this.#count));
    this.#count += events.length;
    for (const event of taken.map((one) => maskEngineEvent(one, mask))) {
      log.append(event.type, 'engine', event.data);
      request.watch.engineEvent(event);
      this.#traceTool(event);
      if (event.type === 'engine.claim' && event.data.commit !== null) this.claims.push(event.data.commit);
    }
  }

  #traceTool(event: EngineEvent): void {
    const now = this.#run.request.environment.clock.mono();
    if (event.type === 'engine.tool' && event.data.id !== undefined)
      this.#called.set(event.data.id, { name: event.data.name, startedMono: now });
    if (event.type !== 'engine.tool_result') return;
    const { id, ok } = event.data;
    const called = this.#called.get(id);
    if (called !== undefined)
      this.#run.calls.add(toolSpan({ name: called.name, id, ok }), now - called.startedMono, ok);
    this.#called.delete(id);
  }
}
