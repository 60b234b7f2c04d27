import { expect, test } from 'vitest';
import type { ModelCall } from '../../gateway/exchange/provider-failure.ts';
import type { RawLogs } from '../definition.ts';
import { diagnoseCase } from './diagnose.ts';
import { caseLog } from './events.ts';

const NO_ENVELOPE = 'AGENT_RESULT start delimiter not found';
const ended = (outcome: string, result: object, ts = '2026-01-01T00:00:10.000Z'): string =>
  JSON.stringify({ event: 'phase_end', phase: 'implement', agent: 'implementer', outcome, result, ts });
const FAILED = ended('failed', { status: 'failed', error: NO_ENVELOPE, artifacts: { commit: null } });
const COMPLETED = ended('completed', { status: 'completed', summary: 'mended', artifacts: { commit: 'abc1234' } });

const call = (more: Partial<ModelCall> = {}, at = '2026-01-01T00:00:05.000Z'): ModelCall => ({
  started_at: at,
  status: 200,
  ended: 'complete',
  shape: 'content',
  detail: null,
  ...more,
});
const logs = (ownLog: string, calls: readonly ModelCall[], stderr = ''): RawLogs => ({
  stdout: '',
  stderr,
  ownLog,
  calls,
  claims: new Set(['abc1234']),
  refusedModels: [],
  denials: [],
  exitCode: 0,
});
const reasons = (raw: RawLogs): string[] => diagnoseCase(raw).map(({ reason }) => reason.code);
const PROTOCOL = 'case_result_protocol';

test('a readable envelope is not diagnosed, whatever the logs contain', () => {
  expect(reasons(logs(`${COMPLETED}\n`, [call({ status: 500 })], `{"error":"${NO_ENVELOPE}"}`))).toEqual([]);
});

test('an envelope in the log that was in no answer is diagnosed as missing', () => {
  expect(reasons({ ...logs(`${COMPLETED}\n`, [call()]), claims: new Set(['def5678']) })).toEqual([PROTOCOL]);
});

test('a missing envelope is found in the event log, or in stderr without a log', () => {
  expect(reasons(logs(`${FAILED}\n`, [call()]))).toEqual([PROTOCOL]);
  expect(reasons(logs('', [call()], `{"level":"error","error":"${NO_ENVELOPE}"}`))).toEqual([PROTOCOL]);
  expect(reasons(logs('not JSON\n{"event":7}\n', [call()]))).toEqual([]);
});

test.each<[string, Partial<ModelCall>]>([
  ['provider_http_error', { status: 503, ended: 'upstream_error', shape: null }],
  ['provider_cut_off', { ended: 'cut', shape: null }],
  ['provider_timeout', { ended: 'timeout', status: null, shape: null }],
  ['provider_unreadable', { ended: 'malformed', shape: 'malformed' }],
  ['provider_empty', { shape: 'empty' }],
  ['response_shape_unavailable', { shape: 'reasoning_only' }],
])("the gateway's cause is listed first: %s", (code, bad) => {
  expect(reasons(logs(`${FAILED}\n`, [call(), call(bad)]))).toEqual([code, PROTOCOL]);
});

test('a provider failure before a usable answer, or after the implementer failed, is not the cause', () => {
  const bad = { status: 500, shape: null } as const;
  expect(reasons(logs(`${FAILED}\n`, [call(bad), call()]))).toEqual([PROTOCOL]);
  expect(reasons(logs(`${FAILED}\n`, [call(), call(bad, '2026-01-01T00:00:20.000Z')]))).toEqual([PROTOCOL]);
});

test('no request at all means that Case had no usable key', () => {
  expect(diagnoseCase(logs(`${FAILED}\n`, []))).toMatchObject([
    { reason: { code: 'auth_bridge_unavailable', marker: 'provider-auth-bridge-unavailable.txt' } },
    { reason: { code: PROTOCOL } },
  ]);
});

test('only a completed implementer phase signals completion, with the commit it claims', () => {
  const { read, dir } = caseLog('an-id');
  expect(dir).toBe('.case/an-id/events');
  expect(read(COMPLETED)).toEqual({
    said: [
      { type: 'engine.message', data: { text: 'implement completed' } },
      { type: 'engine.claim', data: { commit: 'abc1234', text: 'mended' } },
    ],
    done: 'abc1234',
  });
  const skipped = COMPLETED.replace('"completed","result"', '"skipped","result"');
  const verifier = COMPLETED.replace('"implement"', '"verify"');
  const none = ended('completed', { status: 'completed', artifacts: { commit: null } });
  for (const line of [FAILED, skipped, verifier, none, 'not JSON', '']) expect(read(line).done).toBeNull();
});
