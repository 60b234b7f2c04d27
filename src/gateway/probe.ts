import type { Exchange } from '../evidence/schema/exchange.ts';
import { namedProviderCause } from './exchange/provider-failure.ts';
import type { Gateway } from './gateway.ts';
import type { ShapeProbeResult } from './types.ts';
import { WIRES } from './wires/list.ts';

/** Enough for a reasoning model to reach its answer. */
const MAX_TOKENS = 1024;
const DISCARD = { head: () => {}, chunk: () => true, end: () => {}, cut: () => {} };

/** Sends one short request to find out whether the provider's answers have content. */
export function probeShape(gateway: Gateway, nonce: string): Promise<ShapeProbeResult> {
  const { wire, runtimeModel } = gateway.plan;
  const rules = WIRES[wire];
  const { path, body } = rules.question(runtimeModel, `Answer with the single word READY. (${nonce})`, MAX_TOKENS);
  const route = rules.route(path, '');
  if (route === null) throw new Error(`${wire} does not route its own path`);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const offered = {
    purpose: 'probe',
    route,
    path,
    headers,
    body: Buffer.from(JSON.stringify(body)),
    dropped: [],
  } as const;
  return new Promise((resolve) => {
    const asked = gateway.ask(offered, DISCARD, (exchange) => resolve(probeResult(exchange)));
    if ('reason' in asked) resolve({ kind: 'unreachable', http_status: null, answered_by: null, detail: asked.reason });
  });
}

function probeResult(exchange: Exchange): ShapeProbeResult {
  const { answered_by, answered_by_model, status, ended, shape, detail } = exchange;
  const result = (kind: ShapeProbeResult['kind'], text: string): ShapeProbeResult => ({
    kind,
    http_status: answered_by === 'gateway' ? null : status,
    answered_by: answered_by_model,
    detail: text,
  });
  if (ended === 'timeout' || ended === 'cut') return result(ended, detail ?? ended);
  if (answered_by === 'gateway' || status === null) return result('unreachable', detail ?? 'there was no answer');
  if (status === 401 || status === 403) return result('unauthorized', `the provider refused the key (HTTP ${status})`);
  const named = namedProviderCause(exchange);
  if (named?.status === 'blocked')
    return { ...result('http_error', `${named.text} (HTTP ${status})`), named: { ...named, status: named.status } };
  if (shape === null) return result('http_error', `the provider answered with HTTP ${status}`);
  return result(shape, SHAPE_TEXTS[shape]);
}

const SHAPE_TEXTS = {
  content: 'the answer has content',
  tool_calls: 'the answer calls tools',
  reasoning_only: 'the answer has only reasoning',
  empty: 'the answer has neither content nor tool calls',
  malformed: 'the answer does not follow the wire format',
} as const;
