import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANNEL_LIMITS, readDriverChannel, readScriptChannel } from './channel.ts';

const NONCE = 'b1a5';

interface Said {
  readonly id: string;
  readonly outcome: string;
}

function honest(tests: readonly Said[], done: number | null): string[] {
  const bodies = [...tests, ...(done === null ? [] : [{ done }])];
  return bodies.map((body, n) => JSON.stringify({ ...body, n, nonce: NONCE }));
}

const read = (lines: readonly string[]) =>
  readDriverChannel(Buffer.from(lines.map((line) => `${line}\n`).join('')), NONCE);

const testRecords = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1 }), outcome: fc.constantFrom('passed', 'failed', 'skipped', 'error') }),
  { selector: ({ id }) => id, maxLength: 12 },
);

describe('a driver', () => {
  test('is believed when it counts, names each test once and says how it ends', () => {
    fc.assert(
      fc.property(testRecords, fc.integer({ min: 0, max: 255 }), (tests, done) => {
        expect(read(honest(tests, done))).toEqual({
          tests: tests.map((one) => ({ ...one, file: null })),
          collected: [],
          done,
          missing: null,
          tampered: null,
          exitCodeOnly: false,
          runnerErrors: [],
        });
      }),
    );
  });

  test('names files from the workspace, and none outside of it', () => {
    const said = [
      { collected: 'tests/empty.py' },
      { id: 'a', outcome: 'passed', file: './tests/a.py' },
      { id: 'b', outcome: 'passed', file: '../../etc/passwd' },
      { collected: '/etc/passwd' },
      { collected: 'tests/a.py' },
      { done: 0 },
    ];
    const lines = said.map((body, n) => JSON.stringify({ ...body, n, nonce: NONCE }));
    expect(read(lines)).toMatchObject({
      tests: [
        { id: 'a', file: 'tests/a.py' },
        { id: 'b', file: null },
      ],
      collected: ['tests/a.py', 'tests/empty.py'],
      tampered: null,
    });
  });

  test('that stops anywhere is not taken for one that ended', () => {
    fc.assert(
      fc.property(testRecords, fc.nat(), (tests, cut) => {
        const lines = honest(tests, 0);
        const kept = lines.slice(0, cut % lines.length);
        expect(read(kept)).toMatchObject({ done: null, tampered: null, tests: tests.slice(0, kept.length) });
      }),
    );
  });

  test('is not believed when one line is taken out, doubled, moved or added', () => {
    fc.assert(
      fc.property(testRecords, fc.nat(), fc.constantFrom('drop', 'double', 'swap', 'append'), (tests, at, how) => {
        const lines = honest(tests, 0);
        const place = at % lines.length;
        const line = lines[place] ?? '';
        const next = lines[place + 1];
        fc.pre(how === 'double' || how === 'append' || next !== undefined);
        const changed = {
          drop: lines.toSpliced(place, 1),
          double: lines.toSpliced(place, 0, line),
          swap: lines.toSpliced(place, 2, next ?? '', line),
          append: [...lines, JSON.stringify({ id: 'one more', outcome: 'passed', n: lines.length, nonce: NONCE })],
        }[how];
        expect(read(changed).tampered).not.toBeNull();
      }),
    );
  });

  test.each([
    ['a wrong nonce', '{"id":"a","outcome":"passed","n":0,"nonce":"no"}', 'line 1 has a wrong nonce'],
    ['a wrong number', '{"id":"a","outcome":"passed","n":1,"nonce":"b1a5"}', 'line 1 is numbered 1'],
    ['no JSON', 'ok 1', 'line 1 is not a report'],
    ['an unknown outcome', '{"id":"a","outcome":"great","n":0,"nonce":"b1a5"}', 'line 1 is not a report'],
    ['more than it should', '{"id":"a","outcome":"passed","n":0,"nonce":"b1a5","x":1}', 'line 1 is not a report'],
    ['a number for a name', '{"id":7,"outcome":"passed","n":0,"nonce":"b1a5"}', 'line 1 is not a report'],
  ])('is not believed with %s', (_what, line, why) => {
    expect(read([line]).tampered).toBe(why);
  });

  test('is not believed when the same test comes twice, well numbered', () => {
    expect(
      read(
        honest(
          [
            { id: 'a', outcome: 'failed' },
            { id: 'a', outcome: 'passed' },
          ],
          0,
        ),
      ).tampered,
    ).toBe('a was reported twice');
  });

  test('is not believed when it says too much or breaks off in a line', () => {
    const long = honest([{ id: 'x'.repeat(CHANNEL_LIMITS.lineBytes), outcome: 'passed' }], 0);
    expect(read(long).tampered).toMatch(/longer than/);
    expect(readDriverChannel(Buffer.alloc(CHANNEL_LIMITS.totalBytes + 1, 10), NONCE).tampered).toMatch(/more than/);
    expect(readDriverChannel(Buffer.from('{"id"'), NONCE).tampered).toBe('the last line is cut off');
  });

  test('may say that its runner is not installed', () => {
    expect(read(['{"missing":"pytest","n":0,"nonce":"b1a5"}', '{"done":4,"n":1,"nonce":"b1a5"}'])).toMatchObject({
      missing: 'pytest',
      done: 4,
    });
  });
});

describe('a script', () => {
  const script = (text: string) => readScriptChannel(Buffer.from(text), 0);

  test('reports with ok and not ok; remarks follow a tab', () => {
    expect(script('ok first one\nnot ok second\texpected 1, got 2\nok third # SKIP no network\n')).toEqual({
      tests: [
        { id: 'first one', outcome: 'passed', file: null },
        { id: 'second', outcome: 'failed', file: null },
        { id: 'third', outcome: 'skipped', file: null },
      ],
      collected: [],
      done: 0,
      missing: null,
      tampered: null,
      runnerErrors: [],
      exitCodeOnly: false,
    });
  });

  test('that reports nothing has nothing but its exit code', () => {
    expect(script('')).toMatchObject({ tests: [], done: 0, exitCodeOnly: true });
  });

  test.each([
    ['ok a\nok a\n', 'a was reported twice'],
    ['fine\n', 'line 1 is not a report'],
    ['ok a', 'the last line is cut off'],
  ])('%j is not believed', (text, why) => {
    expect(script(text).tampered).toBe(why);
  });
});
