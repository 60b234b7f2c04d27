import type { Reason } from '../../evidence/reasons/reason.ts';

/** Why the harness ends an engine. */
export type StopCause =
  /** The run was interrupted. */
  | { readonly kind: 'interrupted' }
  /** Its work is proven to be committed. */
  | { readonly kind: 'completed'; readonly commit: string }
  /** It has said that its turn is over, and does not end by itself. */
  | { readonly kind: 'turn over' }
  /** Going on is pointless, or not allowed. */
  | { readonly kind: 'cut'; readonly reason: Reason<'fail' | 'blocked'>; readonly detail?: string }
  /** What it writes cannot be kept; the fault itself is reported elsewhere. */
  | { readonly kind: 'not kept' };

/**
 * The life of one engine:
 *
 * - `preparing`: nothing has been started. → `running`
 * - `running`: its processes are alive. → `stopping` when the harness ends it, → `ended` when it ends by itself or at a limit
 * - `stopping`: it was told to end, for one cause. → `ended`
 * - `ended`: nothing of it is left.
 *
 * The first cause stays, except that a cut replaces a completion: work that used what it may not use proves nothing.
 */
export type SessionState =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'running' }
  | { readonly kind: 'stopping'; readonly cause: StopCause }
  | { readonly kind: 'ended'; readonly cause: StopCause | null };

export type SessionEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'stop'; readonly cause: StopCause }
  | { readonly kind: 'exited' };

/** The state after an event; null: the event comes too early or too late and changes nothing. */
export function nextState(state: SessionState, event: SessionEvent): SessionState | null {
  switch (event.kind) {
    case 'started':
      return state.kind === 'preparing' ? { kind: 'running' } : null;
    case 'stop':
      if (state.kind === 'running') return { kind: 'stopping', cause: event.cause };
      return state.kind === 'stopping' &&
        (state.cause.kind === 'completed' || state.cause.kind === 'turn over') &&
        event.cause.kind === 'cut'
        ? { kind: 'stopping', cause: event.cause }
        : null;
    case 'exited':
      if (state.kind === 'running') return { kind: 'ended', cause: null };
      return state.kind === 'stopping' ? { kind: 'ended', cause: state.cause } : null;
    default:
      return event satisfies never;
  }
}

/** One engine from its launch until nothing of it is left. */
export class EngineSession {
  #state: SessionState = { kind: 'preparing' };
  #kill: () => void = () => {};

  get state(): SessionState {
    return this.#state;
  }

  /** `kill` ends all its processes, and may be called more than once. */
  started(kill: () => void): void {
    this.#kill = kill;
    this.#enter({ kind: 'started' });
  }

  stop(cause: StopCause): void {
    if (this.#enter({ kind: 'stop', cause })) this.#kill();
  }

  /** Gives why the harness ended it; null: it did not. */
  exited(): StopCause | null {
    this.#enter({ kind: 'exited' });
    return this.#state.kind === 'ended' ? this.#state.cause : null;
  }

  #enter(event: SessionEvent): boolean {
    const next = nextState(this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }
}
