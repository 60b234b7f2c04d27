import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { traceLine } from '../schema/trace.ts';
import { Trace, traceIdOf } from './trace.ts';

test('spans are OTLP lines with parents, times in nanoseconds and a status', () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-trace-'));
  const path = join(dir, 'trace.jsonl');
  let mono = 100;
  const clock = { now: () => new Date(1_790_000_000_000), mono: () => mono };
  const trace = new Trace(path, { clock, traceId: traceIdOf('nonce'), resource: { run_id: 'r1' } });
  const startedMono = mono;
  mono += 1.5;
  const attributes = { tests: 3, ratio: 0.5, sealed: true, runner: 'pytest' };
  trace.add({ name: 'judge', startedMono, ok: false, attributes });
  trace.end({ ok: true });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const spans = lines.map((line) => traceLine.parse(JSON.parse(line)).resourceSpans[0]?.scopeSpans[0]?.spans[0]);
  rmSync(dir, { recursive: true });
  expect(spans).toMatchObject([
    {
      name: 'judge',
      parentSpanId: spans[1]?.spanId,
      startTimeUnixNano: '1790000000000000000',
      endTimeUnixNano: '1790000000001500000',
      status: { code: 2 },
      attributes: [
        { key: 'tests', value: { intValue: '3' } },
        { key: 'ratio', value: { doubleValue: 0.5 } },
        { key: 'sealed', value: { boolValue: true } },
        { key: 'runner', value: { stringValue: 'pytest' } },
      ],
    },
    { name: 'run', spanId: expect.stringMatching(/^[0-9a-f]{16}$/), status: { code: 1 } },
  ]);
  expect(spans[1]).not.toHaveProperty('parentSpanId');
  expect(new Set(spans.map((span) => span?.traceId))).toEqual(new Set([traceIdOf('nonce')]));
});
