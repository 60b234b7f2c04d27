import { expect, test } from 'vitest';
import { decideRotation, type LogFacts } from './decide.ts';

const NOW = new Date('2026-06-13T20:00:00Z');
const POLICY = { maxBytes: 100, maxAgeMs: 86_400_000, keep: 2 };
const log = (changes: Partial<LogFacts>): LogFacts => ({
  path: 'a.log',
  bytes: 10,
  since: NOW,
  beingWritten: false,
  generations: [],
  ...changes,
});
const decide = (changes: Partial<LogFacts>): string[] =>
  decideRotation(log(changes), POLICY, NOW).map((action) =>
    action.do === 'remove' ? `rm ${action.path}` : `${action.from} > ${action.to}`,
  );

test.each<[string, Partial<LogFacts>, string[]]>([
  ['a small new log stays', {}, []],
  ['a large one is rotated', { bytes: 100 }, ['a.log > a.log.1']],
  ['an old one is rotated', { since: new Date('2026-06-12T20:00:00Z') }, ['a.log > a.log.1']],
  ['an old empty one stays', { bytes: 0, since: new Date(0) }, []],
  ['one that is being written stays', { bytes: 100, beingWritten: true }, []],
  [
    'generations move up, the highest first',
    { bytes: 100, generations: [1] },
    ['a.log.1 > a.log.2', 'a.log > a.log.1'],
  ],
  [
    'what would be too many is removed first',
    { bytes: 100, generations: [1, 2, 7] },
    ['rm a.log.2', 'rm a.log.7', 'a.log.1 > a.log.2', 'a.log > a.log.1'],
  ],
  ['too many are removed without a rotation too', { generations: [1, 2, 3] }, ['rm a.log.3']],
])('%s', (_what, changes, expected) => {
  expect(decide(changes)).toEqual(expected);
});
