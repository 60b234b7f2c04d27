import { expect, test } from 'vitest';
import { readModelName, sharedWire } from './providers.ts';

const claude = {
  from: 'flag',
  wires: ['anthropic-messages'],
  provider: 'anthropic',
  aliases: { sonnet: 'claude-sonnet-5' },
} as const;
const any = { from: 'flag', wires: ['openai-chat', 'anthropic-messages'], provider: null, aliases: {} } as const;

test.each([
  ['sonnet', claude, { provider: 'anthropic', name: 'claude-sonnet-5' }],
  ['anthropic/sonnet', claude, { provider: 'anthropic', name: 'claude-sonnet-5' }],
  ['proxy/sonnet', claude, { provider: 'proxy', name: 'sonnet' }],
  ['openrouter/qwen/qwen3-coder', any, { provider: 'openrouter', name: 'qwen/qwen3-coder' }],
  ['sonnet', any, null],
  ['/x', any, null],
  ['x/', any, null],
])('%s', (text, offered, expected) => {
  expect(readModelName(text, offered)).toEqual(expected);
});

test('program and provider need a protocol in common', () => {
  expect(sharedWire(claude, 'openai')).toBeNull();
  expect(sharedWire(any, 'anthropic')).toBe('anthropic-messages');
  expect(sharedWire(any, 'my-server')).toBe('openai-chat');
});
