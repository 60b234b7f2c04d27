import { expect, test } from 'vitest';
import type { CutoverEntry, CutoverStep } from './schema.ts';
import { BACK_STEPS, FORWARD_STEPS } from './schema.ts';
import { cutoverStanding } from './standing.ts';

const entry = (way: CutoverEntry['way'], step: CutoverStep, state: CutoverEntry['state']): CutoverEntry => ({
  version: 1,
  time: '2026-01-01T00:00:00.000Z',
  way,
  step,
  state,
  note: null,
});
const both = (way: CutoverEntry['way'], steps: readonly CutoverStep[]): CutoverEntry[] =>
  steps.flatMap((step) => [entry(way, step, 'begun'), entry(way, step, 'done')]);

test('nothing was done', () => {
  expect(cutoverStanding([])).toEqual({ way: null, done: [], open: null, finished: false });
});

test.each(FORWARD_STEPS.map((step, index) => [step, index] as const))(
  'killed in %s, it stands there',
  (step, index) => {
    const entries = [...both('forward', FORWARD_STEPS.slice(0, index)), entry('forward', step, 'begun')];
    expect(cutoverStanding(entries)).toEqual({
      way: 'forward',
      done: FORWARD_STEPS.slice(0, index),
      open: step,
      finished: false,
    });
  },
);

test('after a turn all steps are done again, and a complete way back ends the story', () => {
  const forward = both('forward', FORWARD_STEPS);
  expect(cutoverStanding(forward).finished).toBe(true);
  const turned = [...forward, ...both('back', ['hold'])];
  expect(cutoverStanding(turned)).toMatchObject({ way: 'back', done: ['hold'], finished: false });
  expect(cutoverStanding([...turned, entry('forward', 'keep-files', 'begun')])).toMatchObject({
    way: 'forward',
    done: [],
  });
  expect(cutoverStanding([...forward, ...both('back', BACK_STEPS)]).way).toBe(null);
});
