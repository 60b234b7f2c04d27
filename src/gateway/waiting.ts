import type { OpenExchange } from './exchange/source.ts';
import type { Refusal } from './types.ts';

/** A request that could not be sent yet. */
export interface Delayed {
  /** Null: it must wait on. */
  start(): OpenExchange | Refusal | null;
  /** Tells the engine of a refusal, which has been reported. */
  refuse(refusal: Refusal): void;
  /** The engine has disconnected. */
  abandon(): void;
}

interface Waiting {
  readonly delayed: Delayed;
  started: OpenExchange | null;
}

/** Requests that wait for others to end, in the order in which they arrived. */
export class WaitingRequests {
  readonly #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(delayed: Delayed): OpenExchange {
    const waiting: Waiting = { delayed, started: null };
    this.#waiting.push(waiting);
    return {
      kind: 'conversation',
      left: () => {
        if (waiting.started !== null) return waiting.started.left();
        const at = this.#waiting.indexOf(waiting);
        if (at === -1) return;
        this.#waiting.splice(at, 1);
        delayed.abandon();
      },
      goOn: () => waiting.started?.goOn(),
    };
  }

  /** Starts as many as can be. */
  resume(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const begun = next.delayed.start();
      if (begun === null) return;
      this.#waiting.shift();
      if ('reason' in begun) next.delayed.refuse(begun);
      else next.started = begun;
    }
  }
}
