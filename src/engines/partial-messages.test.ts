import { expect, test } from 'vitest';
import type { EngineEvent } from './definition.ts';
import { joinMessages, joinPartial } from './partial-messages.ts';

const part = (text: string): EngineEvent => ({ type: 'engine.message', data: { text }, partial: true });
const tool: EngineEvent = { type: 'engine.tool', data: { name: 'bash', detail: 'ls' } };

test('parts of a message become one message, blanks between them kept', () => {
  expect(joinMessages([part('Now I write'), part('\n\n'), part('it.'), tool, part('Done.')])).toEqual([
    { type: 'engine.message', data: { text: 'Now I write\n\nit.' } },
    tool,
    { type: 'engine.message', data: { text: 'Done.' } },
  ]);
});

test('the last message stays open while a part may follow, and blank ones vanish', () => {
  expect(joinPartial([part(' '), tool, part('Do')])).toEqual([tool, part('Do')]);
  expect(joinMessages([part(' ')])).toEqual([]);
});
