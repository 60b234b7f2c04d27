import { describe, expect, it } from 'vitest';
import { sampleEvent } from './sample-report.fixture.ts';
import { modelCalls, passedGates, refusedGate } from './gated.fixture.ts';
import { timelineSteps } from './timeline.ts';

const START = sampleEvent(0, 'backend.started', { argv: ['/engine/ca'] });
const END = sampleEvent(9000, 'backend.completed_by_harness', { commit: 'abc' });

function linesOf(...args: Parameters<typeof timelineSteps>): readonly string[] {
  return timelineSteps(...args).flatMap(({ name, entries }) =>
    entries.map(({ text }) => {
      const words = text.map((part) => (typeof part === 'string' ? part : Object.values(part).join('')));
      return `${name}: ${words.join('')}`;
    }),
  );
}

describe('the timeline', () => {
  it('sums up many calls of the model, and keeps those apart that were answered otherwise', () => {
    const calls = [...modelCalls(500, 100, 200), ...modelCalls(2, 6000, 500)];
    expect(linesOf([START, ...calls, END], 100)).toEqual([
      'engine: engine started: /engine/ca',
      'engine: model asked: qwen-local/qwen3.6-35b-a3b, HTTP 200; 500 times, the last at +5.090 s',
      'engine: model asked: qwen-local/qwen3.6-35b-a3b, HTTP 500',
      'engine: model asked: qwen-local/qwen3.6-35b-a3b, HTTP 500',
      'engine: engine ended by the harness after the committed proof: commit abc',
    ]);
  });

  it("books an engine's time under the engine, also where the harness writes down its plan afterwards", () => {
    const events = [
      sampleEvent(0, 'run.started', { run_id: 'r', nonce: 'n', engine: 'command', started_at: '2026-01-01T00:00:00Z' }),
      sampleEvent(1000, 'base.recorded', {
        sha256: '0'.repeat(64),
        cached: false,
        tests: 1,
        failing: 0,
        found_by: 'strace',
      }),
      sampleEvent(1100, 'backend.started', { argv: ['sh'] }),
      sampleEvent(61_100, 'plan.updated', { steps: ['work'] }),
      sampleEvent(61_101, 'backend.exited', { exit_code: 0, completion: 'exited' }),
    ];
    const steps = timelineSteps(events, 100).map(({ name, fromMs, toMs }) => [name, toMs - fromMs]);
    expect(steps).toEqual([
      ['contract', 0],
      ['control', 1000],
      ['engine', 60_101],
    ]);
  });

  it('gives a few calls a line each, in their order among what the engine says', () => {
    const said = sampleEvent(105, 'engine.message', { text: 'hm' }, 'engine');
    const [first, second] = modelCalls(2, 100, 200);
    if (first === undefined || second === undefined) throw new Error('two calls were asked for');
    expect(linesOf([START, first, said, second], 100).map((line) => line.slice(0, 14))).toEqual([
      'engine: engine',
      'engine: model ',
      'engine: says h',
      'engine: model ',
    ]);
  });

  it('does not let calls of the model push out what else the harness recorded', () => {
    const refused = sampleEvent(3000, 'model.refused', { provider: 'p', model: 'm', reason: 'model not admitted: m' });
    const lines = linesOf([START, ...modelCalls(290, 50, 200), refused, ...modelCalls(290, 3100, 200), END], 6);
    expect(lines).toContain('engine: refused on the way to the model: model not admitted: m');
    expect(lines).toHaveLength(4);
  });

  it('never sums up a refusal with what passed', () => {
    const gates = Array.from({ length: 9 }, (_, index) => `gate ${index}`);
    const lines = linesOf([...passedGates(gates), refusedGate('stage', 'stage not set', 'none named')], 100);
    expect(lines.at(-1)).toBe('checks: check refused: stage: stage not set: none named');
    expect(lines).toHaveLength(2);
  });

  it('counts what a check asks of the model to the checks, not to the engine', () => {
    const probe = modelCalls(1, 5, 0);
    const start = sampleEvent(20, 'backend.started', { argv: [] });
    expect(linesOf([...probe, start, ...modelCalls(1, 30, 200)], 100)).toEqual([
      'checks: model asked: qwen-local/qwen3.6-35b-a3b, without an answer',
      'engine: engine started',
      'engine: model asked: qwen-local/qwen3.6-35b-a3b, HTTP 200',
    ]);
  });
});
