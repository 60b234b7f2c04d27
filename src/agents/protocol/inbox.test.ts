import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkInbox } from './inbox.ts';

test.each([
  ['as it was', ['a\n', 'b\n'], 'a\nb\n', null, null],
  ['appended to', ['a\n'], 'a\nb\n', 'b\n', null],
  ['emptied', ['a\n', 'b\n'], '', null, 'a\nb\n'],
  ['cut off', ['a\n', 'b\n'], 'a\n', null, 'a\nb\n'],
  ['written over', ['a\n'], 'x\n', 'x\n', 'a\nx\n'],
])('an inbox that was %s', (_what, journalled, content, received, restored) => {
  expect(checkInbox(journalled, content)).toEqual({ received, restored });
});

test('whatever is done to an inbox, all that was journalled is in it afterwards', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (journalled, content) => {
      const { received, restored } = checkInbox(journalled, content);
      const after = restored ?? content;
      expect(after.startsWith(journalled.join(''))).toBe(true);
      const now = received === null ? journalled : [...journalled, received];
      expect(checkInbox(now, after)).toEqual({ received: null, restored: null });
    }),
  );
});
