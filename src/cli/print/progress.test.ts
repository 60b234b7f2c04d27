import { expect, test } from 'vitest';
import type { Bundle } from '../../evidence/bundle/bundle.ts';
import type { StepTiming } from '../../evidence/log/run-log.ts';
import { showProgress } from './progress.ts';

test('without a terminal, a step is printed once it has ended, with the time that it took', () => {
  const written: string[] = [];
  const progress = showProgress('plain', { write: (text) => written.push(text), columns: 80 });
  const steps: StepTiming[] = [];
  progress.onStarted({ runId: 'r1' } as Bundle, steps);
  steps.push(
    { name: 'engine', started: 1000, ended: 3500, ok: true },
    { name: 'judge', started: 3500, ended: null, ok: true },
  );
  progress.question({ runId: 'r1', id: 'approval-1', action: 'merge', answerBy: '2026-01-02T03:04:05.000Z' });
  expect(written.slice(0, 2)).toEqual(['run r1\n', '   2.5 s  engine\n']);
  expect(written.join('')).not.toContain('judge');
  progress.end();
  expect(written.at(-1)).toMatch(/ s {2}judge\n$/);
  expect(written.join('').match(/engine\n/g)).toHaveLength(1);
});

test('a follower sees what the engine says and does, and which of it failed', () => {
  const written: string[] = [];
  const progress = showProgress('follow', { write: (text) => written.push(text), columns: 80 });
  progress.engineEvent({ type: 'engine.message', data: { text: 'First I read.\nThen \u001b[31mwrite.' } });
  progress.engineEvent({ type: 'engine.tool', data: { name: 'Bash', detail: '{"command":"ls"}' } });
  progress.engineEvent({ type: 'engine.tool_result', data: { id: '1', ok: true, detail: 'a.py' } });
  progress.engineEvent({ type: 'engine.tool_result', data: { id: '2', ok: false, detail: 'denied' } });
  progress.engineEvent({ type: 'engine.usage', data: { input_tokens: 1, output_tokens: 1 } });
  expect(written.map((line) => line.trim())).toEqual([
    'First I read.',
    expect.stringMatching(/^Then .*write\.$/),
    '> Bash {"command":"ls"}',
    'failed: denied',
  ]);
  expect(written.join('')).not.toContain('\u001b');
});

test('the live line has what the model cost so far before the last activity, so that a narrow terminal cuts the latter', () => {
  const written: string[] = [];
  const progress = showProgress('live', { write: (text) => written.push(text), columns: 80 });
  progress.spent({ requests: 2, tokens: 12_345, costUsd: 0.0421 });
  progress.engineEvent({ type: 'engine.tool', data: { name: 'bash', detail: 'make check' } });
  progress.onStarted({ runId: 'r1' } as Bundle, []);
  progress.end();
  expect(written.join('')).toMatch(/ · 0\.0421 USD, 2 requests, 12,345 tokens · > bash make/);
});
