import { describe, expect, it } from 'vitest';
import { answersIn } from './permission-answer.ts';
import { ToolCalls } from './tool-calls.ts';

const ask = (toolCall: Record<string, unknown>, ...before: Record<string, unknown>[]) => {
  const calls = new ToolCalls();
  for (const said of before) calls.note(said);
  return calls.permissionFor(toolCall, '/workspace');
};

describe('what an agent asks permission for', () => {
  it.each([
    [
      'a shell command',
      { kind: 'execute', rawInput: { command: 'npm test' } },
      { action: 'run', command: 'npm test', paths: [] },
    ],
    [
      'a command that is only in the title',
      { kind: 'execute', title: 'npm test' },
      { action: 'run', command: 'npm test' },
    ],
    ['a command in words', { kind: 'execute', rawInput: { command: ['ls', '-l'] } }, { command: 'ls -l' }],
    [
      'an edit',
      { kind: 'edit', locations: [{ path: '/workspace/a.py' }], rawInput: { file_path: '/etc/passwd' } },
      { action: 'edit', paths: ['a.py', '/etc/passwd'], command: null },
    ],
    [
      'a change that calls itself a read',
      { kind: 'read', content: [{ type: 'diff', path: '/workspace/b.py' }] },
      { action: 'edit', paths: ['b.py'] },
    ],
    [
      'a command that calls itself a search',
      { kind: 'search', rawInput: { cmd: 'rm -r .' } },
      { action: 'run', command: 'rm -r .' },
    ],
    ['a change of mode', { kind: 'switch_mode', title: 'Leave the plan' }, { action: 'mode' }],
    ['something unheard of', { kind: 'dance' }, { action: 'other', paths: [], command: null }],
    ['nothing', {}, { action: 'other' }],
  ])('%s', (_name, toolCall, expected) => {
    expect(ask(toolCall)).toMatchObject(expected);
  });

  it('counts what was said of the same call before', () => {
    const before = { toolCallId: '1', kind: 'execute', status: 'pending', rawInput: { command: 'make' } };
    expect(ask({ toolCallId: '1', title: 'x', status: 'pending' }, before)).toMatchObject({
      action: 'run',
      command: 'make',
    });
  });
});

describe('the answer', () => {
  const options = [
    { optionId: 'a', kind: 'allow_always' },
    { optionId: 'b', kind: 'allow_once' },
    { optionId: 'c', kind: 'reject_once' },
  ];

  it('is an option that is offered, by its kind, and never one for good', () => {
    expect(answersIn({ options })).toEqual({
      allow: { outcome: { outcome: 'selected', optionId: 'b' } },
      deny: { outcome: { outcome: 'selected', optionId: 'c' } },
    });
    expect(answersIn({ options: options.slice(0, 1) }).allow).toBeNull();
  });

  it('is a cancellation where no refusal is offered', () => {
    for (const params of [
      {},
      { options: 'all' },
      { options: [{ kind: 'reject_once' }] },
      { options: options.slice(0, 2) },
    ])
      expect(answersIn(params).deny).toEqual({ outcome: { outcome: 'cancelled' } });
  });
});
