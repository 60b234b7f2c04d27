import { expect, test } from 'vitest';
import { labelledCredentials, lookAlikes } from './labelled.fixture.ts';
import { Masker } from './mask.ts';
import { SecretPatterns } from './patterns.ts';
import { shapesOf } from './shape.ts';

const masker = new Masker(new SecretPatterns([]));
const isFound = (text: string): boolean => {
  const line = `config = "${text}"\n`;
  return masker.text(line) !== line;
};
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test('at least 95 % of well-known credentials are found', () => {
  const all = SEEDS.flatMap(labelledCredentials);
  expect(labelledCredentials(1).length).toBeGreaterThanOrEqual(100);
  const missed = all.filter((text) => !isFound(text));
  expect(missed.length / all.length, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.05);
});

test('at most 1 % of harmless look-alikes are taken for one', () => {
  const all = SEEDS.flatMap(lookAlikes);
  expect(lookAlikes(1).length).toBeGreaterThanOrEqual(100);
  const taken = all.filter(isFound);
  expect(taken.length / all.length, taken.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.01);
});

test('a pattern with a set inside a choice is refused, since it would find nothing', () => {
  expect(() => shapesOf('a token', 'tok_(local|[a-f0-9]{16})_[a-f0-9]{40}')).toThrow('a choice holds text alone');
});
