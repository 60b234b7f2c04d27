import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../evidence/schema/exchange.ts';
import { Redactor } from '../redactor.ts';
import { describeExchange } from './describe.ts';
import { errorIn, problemIn } from './problem.ts';
import { classifyProviderFailure } from './provider-failure.ts';

const AT = Date.parse('2026-11-16T12:00:00.000Z');
const UNIX = AT / 1000 + 3600;
const LATER = '2026-11-16T13:00:00.000Z';

const problem = (status: number, body: object, headers: Record<string, string> = {}) =>
  problemIn({ status, headers, error: errorIn(JSON.stringify(body)), at: AT });

describe('what a provider says is wrong', () => {
  it.each([
    ['codex', 429, { error: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: UNIX } }, {}, LATER],
    ['codex without the plan', 429, { error: { type: 'usage_not_included' } }, {}, null],
    ['codex by seconds', 429, { error: { type: 'usage_limit_reached', resets_in_seconds: 3600 } }, {}, LATER],
    [
      'claude',
      429,
      { type: 'error', error: { type: 'rate_limit_error', message: 'limited' } },
      { 'anthropic-ratelimit-unified-status': 'rejected', 'anthropic-ratelimit-unified-reset': String(UNIX) },
      LATER,
    ],
    ['openai', 429, { error: { code: 'insufficient_quota', message: 'x' } }, {}, null],
    ['anthropic without credit', 400, { error: { message: 'Your credit balance is too low' } }, {}, null],
    ['a payment', 402, {}, { 'retry-after': '3600' }, LATER],
    [
      'gemini',
      429,
      [
        {
          error: {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            details: [{ reason: 'QUOTA_EXHAUSTED' }, { retryDelay: '3600s' }],
          },
        },
      ],
      {},
      LATER,
    ],
    ['qwen', 429, { error: { message: 'Free allocated quota exceeded.' } }, {}, null],
  ])('%s: a usage limit, with its reset', (_name, status, body, headers, resets) => {
    expect(problem(status, body, headers)).toEqual({ kind: 'usage_limit', resets_at: resets });
  });

  it.each([
    [429, { error: { message: 'slow down' } }, { 'retry-after': 'Mon, 16 Nov 2026 13:00:00 GMT' }, 'rate_limit'],
    [400, { error: { code: 'context_length_exceeded' } }, {}, 'context_overflow'],
    [
      400,
      { type: 'error', error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
      {},
      'context_overflow',
    ],
    [400, { error: { message: 'The input token count (1) exceeds the maximum' } }, {}, 'context_overflow'],
    [404, { error: { code: 'model_not_found' } }, {}, 'model_unknown'],
    [404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }, {}, 'model_unknown'],
  ])('HTTP %i %j: %s', (status, body, headers, kind) => {
    expect(problem(status, body, headers)?.kind).toBe(kind);
  });

  it.each([500, 401, 404])('HTTP %i alone names no further cause', (status) => {
    expect(problem(status, { error: { message: 'no' } })).toBeNull();
  });

  it('no body and no header makes it throw', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        fc.json(),
        fc.dictionary(fc.string(), fc.string()),
        (status, body, headers) => {
          const found = problemIn({ status, headers, error: errorIn(body), at: AT });
          expect(found === null || typeof found.kind === 'string').toBe(true);
        },
      ),
    );
  });
});

const facts = {
  seq: 1,
  started_at: new Date(AT).toISOString(),
  purpose: 'engine',
  answered_by: 'upstream',
  path: '/v1',
  model: 'm',
  streamed: false,
  status: 200,
  ended: 'complete',
  detail: null,
  duration_ms: 0,
  first_byte_ms: 0,
  headers: {},
} as const;

function described(wire: Exchange['wire'], body: object, change: Partial<Exchange> = {}): Exchange {
  const response = Buffer.from(JSON.stringify(body));
  const raw = { facts: { ...facts, wire, ...change }, request: Buffer.from('{}'), response };
  return describeExchange(raw, new Redactor({})).exchange;
}

it.each([
  ['openai-chat', { choices: [{ message: { refusal: 'I cannot.' }, finish_reason: 'stop' }] }],
  ['openai-chat', { choices: [{ message: { content: 'no' }, finish_reason: 'content_filter' }] }],
  ['openai-responses', { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'I cannot.' }] }] }],
  ['anthropic-messages', { content: [{ type: 'text', text: 'no' }], stop_reason: 'refusal' }],
  ['gemini', { candidates: [{ finishReason: 'SAFETY' }] }],
  ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }],
] as const)('%s: a refusal of the model is told from an answer: %j', (wire, body) => {
  expect(described(wire, body).problem).toEqual({ kind: 'model_refused', resets_at: null });
});

it('an error inside of an answer is read like one with a status', () => {
  const failed = { status: 'failed', error: { code: 'context_length_exceeded', message: 'x' } };
  const call = described('openai-responses', failed);
  expect(classifyProviderFailure(call)?.reason).toMatchObject({ code: 'context_overflow', status: 'fail' });
});

it.each([
  ['provider_usage_limit', { status: 429, headers: {} }, { error: { code: 'insufficient_quota' } }],
  ['provider_rate_limited', { status: 429 }, {}],
  ['provider_unauthorized', { status: 401 }, {}],
  ['provider_forbidden', { status: 403 }, {}],
  ['provider_http_error', { status: 500 }, {}],
  ['provider_model_unknown', { status: 404 }, { error: { code: 'model_not_found' } }],
  ['provider_connection_failed', { status: 502, answered_by: 'gateway', ended: 'upstream_error' }, {}],
  ['provider_timeout', { status: 504, answered_by: 'gateway', ended: 'timeout' }, {}],
  ['provider_cut_off', { ended: 'cut' }, {}],
] as const)('%s is told apart from all others', (code, change, body) => {
  expect(classifyProviderFailure(described('openai-chat', body, change))?.reason.code).toBe(code);
});

it('the reset of a limit is in the reason', () => {
  const call = described(
    'openai-responses',
    { error: { type: 'usage_limit_reached', resets_at: UNIX } },
    { status: 429 },
  );
  expect(classifyProviderFailure(call)?.reason.text).toBe(
    `provider unavailable: usage limit reached, resets at ${LATER}`,
  );
});
