import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../evidence/schema/exchange.ts';
import { type FaultStreak, nextStreak, pointlessReason } from './repeated-faults.ts';

const START = Date.parse('2026-11-16T12:00:00.000Z');
const DEADLINE = START + 600_000;

/** An exchange that begins this many seconds after the start and takes one. */
function exchange(atSec: number, change: Partial<Exchange>): Exchange {
  return {
    seq: 1,
    started_at: new Date(START + atSec * 1000).toISOString(),
    purpose: 'engine',
    answered_by: 'upstream',
    wire: 'openai-chat',
    path: '/v1',
    model: 'm',
    streamed: false,
    status: 200,
    ended: 'complete',
    detail: null,
    shape: 'content',
    usage: null,
    answered_by_model: null,
    duration_ms: 1000,
    first_byte_ms: 0,
    request: { text: '' },
    response: null,
    ...change,
  };
}

const http = (status: number): Partial<Exchange> => ({ status, ended: 'upstream_error', shape: null });
const limited = (resetsSec: number | null): Partial<Exchange> => ({
  ...http(429),
  problem: {
    kind: 'usage_limit',
    resets_at: resetsSec === null ? null : new Date(START + resetsSec * 1000).toISOString(),
  },
});

/** Which of the exchanges ends the engine, from 1; null: none does. */
function endsAt(exchanges: readonly Exchange[]): number | null {
  let streak: FaultStreak | null = null;
  for (const [index, one] of exchanges.entries()) {
    streak = nextStreak(streak, one);
    if (streak !== null && pointlessReason(streak, DEADLINE) !== null) return index + 1;
  }
  return null;
}

const each = (change: Partial<Exchange>, times = 10) =>
  Array.from({ length: times }, (_, at) => exchange(at * 5, change));

describe('an engine that asks again and again', () => {
  it.each([
    ['HTTP 500', http(500), 4],
    ['HTTP 429 without a time', http(429), 4],
    ['a connection that fails', { ...http(502), answered_by: 'gateway' as const }, 4],
    ['HTTP 401', http(401), 2],
    ['HTTP 403', http(403), 2],
    ['a usage limit that is reset after the deadline', limited(3600), 2],
    ['a usage limit without a time', limited(null), 2],
    ['a limit that is reset in time', limited(300), null],
    [
      'a conversation that is too long',
      { ...http(400), problem: { kind: 'context_overflow' as const, resets_at: null } },
      null,
    ],
    ['answers', {}, null],
    ['requests that it leaves', { ended: 'client_left' as const, status: null }, null],
  ])('%s: ended at request %s', (_what, change, at) => {
    expect(endsAt(each(change))).toBe(at);
  });

  it('may go on after an answer', () => {
    const mixed = [0, 5, 10, 15, 20, 25].map((at) => exchange(at, at === 10 ? {} : http(500)));
    expect(endsAt(mixed)).toBeNull();
  });

  it('is not ended for requests that failed together', () => {
    expect(endsAt(Array.from({ length: 6 }, () => exchange(0, http(500))))).toBeNull();
  });

  it('is ended once the time of the reset has passed and nothing changed', () => {
    const late = [10, 20, 30, 310, 320, 330].map((at) => exchange(at, limited(300)));
    expect(endsAt(late)).toBe(4);
  });
});
