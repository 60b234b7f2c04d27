import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { EngineSession, nextState, type SessionEvent, type SessionState, type StopCause } from './session.ts';

const CUT: StopCause = { kind: 'cut', reason: reason('over_budget', { budget: 'max_requests' }) };
const COMPLETED: StopCause = { kind: 'completed', commit: 'abc' };
const INTERRUPTED: StopCause = { kind: 'interrupted' };
const CAUSES: readonly StopCause[] = [CUT, COMPLETED, INTERRUPTED, { kind: 'not kept' }];
const EVENTS: readonly SessionEvent[] = [
  { kind: 'started' },
  { kind: 'exited' },
  ...CAUSES.map((cause) => ({ kind: 'stop', cause }) as const),
];
const ORDER: readonly SessionState['kind'][] = ['preparing', 'running', 'stopping', 'ended'];

const after = (...events: readonly SessionEvent[]): SessionState =>
  events.reduce<SessionState>((state, event) => nextState(state, event) ?? state, { kind: 'preparing' });
const stop = (cause: StopCause): SessionEvent => ({ kind: 'stop', cause });

/** Every state that the events lead through. */
function passed(events: readonly SessionEvent[]): readonly SessionState['kind'][] {
  return events.map((_event, index) => after(...events.slice(0, index + 1)).kind);
}

test('no order of events leads back, and an engine that has ended stays ended', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
      const places = passed(events).map((kind) => ORDER.indexOf(kind));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      const ended = events.findIndex((_event, index) => places[index] === ORDER.indexOf('ended'));
      expect(after(...events)).toEqual(ended === -1 ? after(...events) : after(...events.slice(0, ended + 1)));
    }),
  );
});

test('an engine that was not started can be neither stopped nor ended', () => {
  expect(after(stop(CUT), { kind: 'exited' })).toEqual({ kind: 'preparing' });
});

test('an engine that ends by itself has no cause', () => {
  expect(after({ kind: 'started' }, { kind: 'exited' })).toEqual({ kind: 'ended', cause: null });
});

test.each(CAUSES.flatMap((first) => CAUSES.map((second) => [first, second] as const)))(
  'of $kind and then $kind the first counts, but a cut takes a completion back',
  (first, second) => {
    const kept = first === COMPLETED && second === CUT ? CUT : first;
    expect(after({ kind: 'started' }, stop(first), stop(second), { kind: 'exited' })).toEqual({
      kind: 'ended',
      cause: kept,
    });
  },
);

test('the processes are ended when the harness stops the engine, and not for a cause that comes too late', () => {
  let kills = 0;
  const session = new EngineSession();
  session.stop(CUT);
  session.started(() => (kills += 1));
  expect(kills).toBe(0);
  session.stop(COMPLETED);
  session.stop(INTERRUPTED);
  expect(kills).toBe(1);
  expect(session.exited()).toEqual(COMPLETED);
  session.stop(CUT);
  expect([kills, session.state]).toEqual([1, { kind: 'ended', cause: COMPLETED }]);
});
