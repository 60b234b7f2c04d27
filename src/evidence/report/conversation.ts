import type { RunEvent } from '../schema/events.ts';

/** What is recorded of what an engine says of itself; the rest is in its output only. */
export const MAX_ENGINE_EVENTS = 50_000;

/** One call of a tool, and what came of it. */
export interface ToolUse {
  readonly kind: 'tool';
  readonly name: string;
  /** Null: the engine gave none, so a result cannot be told from others. */
  readonly id: string | null;
  readonly atMs: number;
  /** Arguments, as the engine reports them. */
  readonly detail: string;
  /** Null: none was reported. */
  readonly result: { readonly ok: boolean; readonly detail: string; readonly tookMs: number } | null;
  /** Files that the engine says it changed with it. */
  readonly edits: readonly string[];
}

export type Saying =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'plan'; readonly steps: readonly string[] }
  | { readonly kind: 'claim'; readonly text: string; readonly commit: string | null }
  /** A result without a call. */
  | { readonly kind: 'stray result'; readonly ok: boolean; readonly detail: string }
  | ToolUse;

/** Requests to the model, as the gateway measured them. */
export interface TurnCost {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null: there are no prices. */
  readonly costUsd: number | null;
}

/** What an engine said and did between two answers of its model. */
export interface EngineTurn {
  readonly time: string;
  readonly atMs: number;
  readonly said: readonly Saying[];
  readonly cost: TurnCost;
}

interface OpenTurn {
  readonly time: string;
  readonly atMs: number;
  readonly said: Saying[];
  cost: TurnCost;
  hasTool: boolean;
  /** Calls without a result. */
  open: number;
}

export const NO_COST: TurnCost = { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: null };

/**
 * The conversation that an engine tells of itself, turn by turn: a turn ends when the engine speaks again after calling tools. Costs are
 * the gateway's; a request belongs to the first turn that began after it was sent.
 */
export function conversationIn(events: readonly RunEvent[]): readonly EngineTurn[] {
  let hasStarted = false;
  const reader = new ConversationReader(events[0]?.mono_ms ?? 0);
  const requests: { readonly sent: string; readonly cost: TurnCost }[] = [];
  for (const event of events) {
    hasStarted ||= event.type === 'backend.started';
    if (event.type === 'model.request' && hasStarted)
      requests.push({ sent: event.data.started_at ?? event.time, cost: costOfRequest(event.data) });
    if (event.source === 'engine') reader.take(event);
  }
  const { turns } = reader;
  let next = 0;
  for (const { sent, cost } of requests.toSorted((a, b) => a.sent.localeCompare(b.sent))) {
    while (next < turns.length - 1 && (turns[next]?.time ?? '') < sent) next += 1;
    const turn = turns[next];
    if (turn !== undefined) turn.cost = addCosts(turn.cost, cost);
  }
  return turns.map(({ time, atMs, said, cost }) => ({ time, atMs, said, cost }));
}

class ConversationReader {
  readonly #zeroMs: number;
  readonly turns: OpenTurn[] = [];
  /** Where the calls without a result stand, by their id. */
  readonly #open = new Map<string, { readonly turn: OpenTurn; readonly place: number }>();

  constructor(zeroMs: number) {
    this.#zeroMs = zeroMs;
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'engine.message':
        this.#turnOf(event).said.push({ kind: 'message', text: event.data.text });
        return;
      case 'plan.updated':
        this.#turnOf(event).said.push({ kind: 'plan', steps: event.data.steps });
        return;
      case 'engine.claim':
        this.#turnOf(event).said.push({ kind: 'claim', ...event.data });
        return;
      case 'engine.tool': {
        const turn = this.#turnOf(event);
        const { name, detail, id = null } = event.data;
        if (id !== null) {
          this.#open.set(id, { turn, place: turn.said.length });
          turn.open += 1;
        }
        turn.hasTool = true;
        turn.said.push({ kind: 'tool', name, id, detail, atMs: this.#since(event), result: null, edits: [] });
        return;
      }
      case 'engine.tool_result':
        this.#answer(event, event.data);
        return;
      case 'engine.edit': {
        const said = this.turns.at(-1)?.said ?? [];
        const place = said.findLastIndex(({ kind }) => kind === 'tool');
        const call = said[place];
        if (call?.kind === 'tool') said[place] = { ...call, edits: [...call.edits, event.data.path] };
        return;
      }
      default:
    }
  }

  #answer(
    event: RunEvent,
    { id, ok, detail }: { readonly id: string; readonly ok: boolean; readonly detail: string },
  ): void {
    const called = this.#open.get(id);
    const call = called?.turn.said[called.place];
    if (called === undefined || call?.kind !== 'tool') {
      this.#turnOf(event).said.push({ kind: 'stray result', ok, detail });
      return;
    }
    const tookMs = Math.max(0, this.#since(event) - call.atMs);
    called.turn.said[called.place] = { ...call, result: { ok, detail, tookMs } };
    called.turn.open -= 1;
    this.#open.delete(id);
  }

  /** The turn that an event belongs to: a new one when the engine goes on after its tools. */
  #turnOf(event: RunEvent): OpenTurn {
    const last = this.turns.at(-1);
    const isOver =
      last === undefined ||
      (last.hasTool && (event.type === 'engine.message' || (event.type === 'engine.tool' && last.open <= 0)));
    const turn = isOver
      ? { time: event.time, atMs: this.#since(event), said: [], cost: NO_COST, hasTool: false, open: 0 }
      : last;
    if (isOver) this.turns.push(turn);
    return turn;
  }

  #since(event: RunEvent): number {
    return Math.max(0, event.mono_ms - this.#zeroMs);
  }
}

function costOfRequest(data: Extract<RunEvent, { type: 'model.request' }>['data']): TurnCost {
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0, cost_usd: costUsd = null } = data;
  return { requests: 1, inputTokens, outputTokens, costUsd };
}

export function addCosts(a: TurnCost, b: TurnCost): TurnCost {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  };
}
