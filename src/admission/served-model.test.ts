import { expect, it } from 'vitest';
import { isAdmittedAnswer, upstreamName } from './served-model.ts';

const RECORD = { model: 'qwen3.6-35b-a3b', served_as: ['Qwen/Qwen3.6', '/models/qwen.gguf'] };

it.each([
  'qwen3.6-35b-a3b',
  'qwen3.6-35b-a3b-20260102',
  'qwen3.6-35b-a3b-2026-01-02',
  'Qwen/Qwen3.6',
  '/models/qwen.gguf',
])('%s is the admitted model', (name) => {
  expect(isAdmittedAnswer(RECORD, name)).toBe(true);
});

it.each(['qwen3.6-35b-a3b-mini', 'qwen3.6-35b', 'qwen3.6-35b-a3b-2026', 'QWEN3.6-35B-A3B', ''])(
  '%s is another',
  (name) => {
    expect(isAdmittedAnswer(RECORD, name)).toBe(false);
  },
);

it('asks for the first name that the endpoint serves, else for the admitted one', () => {
  expect([upstreamName(RECORD), upstreamName({ model: 'm' })]).toEqual(['Qwen/Qwen3.6', 'm']);
});
