import { expect, test } from 'vitest';
import { showProgress } from './progress.ts';

test('without a terminal, a step is printed once it has ended, with the time that it took', () => {
  const written: string[] = [];
  const progress = showProgress('plain', { write: (text) => written.push(text), columns: 80 });
  progress.step('engine');
  expect(written).toEqual([]);
  progress.step('judge');
  progress.end();
  expect(written).toEqual([
    expect.stringMatching(/^ +\d+\.\d s {2}engine\n$/),
    expect.stringMatching(/ s {2}judge\n$/),
  ]);
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
