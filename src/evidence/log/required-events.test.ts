import fc from 'fast-check';
import { expect, test } from 'vitest';
import { missingEvents } from './required-events.ts';
import { DEFAULT_REQUIRED_EVENTS } from '../schema/events.ts';

test('accepts the default events in order, with others in between', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('gate.checked', 'engine.message'), { maxLength: 20 }), (noise) => {
      const seen = DEFAULT_REQUIRED_EVENTS.flatMap((type, index) => [...noise.slice(index), type]);
      expect(missingEvents(seen, [])).toEqual([]);
    }),
  );
});

test('reports any default event that is left out or moved to the front', () => {
  for (const left of DEFAULT_REQUIRED_EVENTS) {
    const others = DEFAULT_REQUIRED_EVENTS.filter((type) => type !== left);
    expect(missingEvents(others, [])).toContain(left);
  }
  for (const early of DEFAULT_REQUIRED_EVENTS.slice(1)) {
    const others = DEFAULT_REQUIRED_EVENTS.filter((type) => type !== early);
    expect(missingEvents([early, ...others], [])).toContain(early);
  }
});

test('an event that the task adds may occur anywhere, once', () => {
  const seen = ['review.completed', ...DEFAULT_REQUIRED_EVENTS];
  expect(missingEvents(seen, ['review.completed', 'review.completed'])).toEqual([]);
  expect(missingEvents(seen, ['approval.granted', 'run.started'])).toEqual(['approval.granted']);
});
