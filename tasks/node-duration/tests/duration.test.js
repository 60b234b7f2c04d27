import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../src/duration.js';

test('hours and minutes', () => {
  assert.equal(parseDuration('1h30m'), 5400);
});

test('one part alone', () => {
  assert.equal(parseDuration('45s'), 45);
  assert.equal(parseDuration('2h'), 7200);
});

test('days', () => {
  assert.equal(parseDuration('1d12h'), 129_600);
});

test('spaces between the parts', () => {
  assert.equal(parseDuration('1h 30m 5s'), 5405);
});

for (const text of ['', '90', '1h1h', '5x', '30m1h', '-1h']) {
  test(`${JSON.stringify(text)} is no duration`, () => {
    assert.throws(() => parseDuration(text), RangeError);
  });
}
