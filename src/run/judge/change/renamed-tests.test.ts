import { describe, expect, it } from 'vitest';
import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import { findRenamedTests } from './renamed-tests.ts';

const FILE = 'src/redos.test.ts';
const tests = (names: readonly string[], file: string | null = FILE): RecordedTest[] =>
  names.map((name) => ({ id: `${FILE}::${name}`, outcome: 'passed', file }));
const renamed = (before: readonly string[], now: readonly string[], written: readonly string[] = []) =>
  [...findRenamedTests(tests(before), tests(now), (text) => written.includes(text))].map(([from, to]) =>
    [from, to].map((id) => id.slice(FILE.length + 2)),
  );

describe('tests whose names hold output of the product', () => {
  it('are the same where the rest of the name is theirs alone', () => {
    expect(
      renamed(
        ['safe > / - /^s$/', 'safe > /a - /^a$/', 'safe > /b - /^b$/', 'safe > other', 'safe >  - /()/'],
        ['safe >  - /()/i', 'safe > / - /^s$/i', 'safe > /b - /^b$/i', 'safe > other', 'safe > /a - /^a$/i'],
      ),
    ).toEqual([
      ['safe > / - /^s$/', 'safe > / - /^s$/i'],
      ['safe > /a - /^a$/', 'safe > /a - /^a$/i'],
      ['safe > /b - /^b$/', 'safe > /b - /^b$/i'],
      ['safe >  - /()/', 'safe >  - /()/i'],
    ]);
  });

  it('may hold it in the middle, and in several words', () => {
    expect(
      renamed(['makes <b>1</b> of one', 'makes <b>2</b> of two'], ['makes <i> 1 </i> of one', 'makes <b>2</b> of two']),
    ).toEqual([['makes <b>1</b> of one', 'makes <i> 1 </i> of one']]);
  });

  it('are told apart by the numbers of tests with one name', () => {
    expect(renamed(['/a - /^a$/', '/a - /^a$/ (2)'], ['/a - /a/', '/a - /a/ (2)'])).toEqual([
      ['/a - /^a$/', '/a - /a/'],
      ['/a - /^a$/ (2)', '/a - /a/ (2)'],
    ]);
  });
});

describe('a name that is gone stays gone', () => {
  it.each([
    ['where fewer tests came for it', ['/a - /^a$/', '/b - /^b$/'], ['/a - /a/']],
    ['where more tests came for it', ['/a - /^a$/'], ['/a - /a/', '/a - /b/']],
    ['where one of several has no partner', ['/a - /^a$/', 'adds <1>'], ['/a - /a/', 'takes <1> off']],
    ['where nothing else tells it from others', ['makes <1>', 'makes <2>'], ['makes <3>', 'makes <2>']],
    ['where two could be its partner', ['/a - /1/', '/a - /2/'], ['/a - /3/', '/a - /4/']],
    ['where it names a feature', ['exports slug as a function'], ['exports other as a function']],
    ['where it names a feature with dots and hyphens', ['has slug.to-words'], ['has slug.to-lines']],
    ['where a plain word beside the output changed too', ['makes <1> of one'], ['makes <2> of two']],
    ['where only its suite is the same', ['safe > /a/'], ['safe > /b/']],
    ['where only signs differ', ['/a/ - /b/', 'x'], ['/a/ + /b/', 'x']],
    ['where nothing of it was left', ['<1>'], []],
    ['where the number of equal names differs', ['/a - /1/ (2)'], ['/a - /2/ (3)']],
  ])('%s', (_, before, now) => {
    expect(renamed(before, now)).toEqual([]);
  });

  it('where a test file has that text', () => {
    expect(renamed(['makes <b> of one'], ['makes <i> of one'])).toHaveLength(1);
    expect(renamed(['makes <b> of one'], ['makes <i> of one'], ['<b>'])).toEqual([]);
  });

  it('where another file came up with the new one, or the runner names no files', () => {
    const [before, now] = [['/a - /^a$/'], ['/a - /a/']];
    expect(findRenamedTests(tests(before), tests(now, 'other.test.ts'), () => false).size).toBe(0);
    expect(findRenamedTests(tests(before, null), tests(now, null), () => false).size).toBe(0);
  });
});
