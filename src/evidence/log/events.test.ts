import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { EventLog, readEvents } from './events.ts';

let dir = '';
let path = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-events-'));
  path = join(dir, 'events.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function tickingClock(): { now(): Date; mono(): number } {
  let ms = 1_790_000_000_000;
  return { now: () => new Date((ms += 5)), mono: () => ms };
}

function logOf(texts: readonly string[]): EventLog {
  const clock = tickingClock();
  const log = new EventLog(path, { clock, startedMono: clock.mono() });
  for (const text of texts) log.append('engine.message', 'engine', { text });
  log.close();
  return log;
}

test('reads back what was appended, in order, with times relative to the start of the run', () => {
  const log = logOf(['one', 'two']);
  const events = readEvents(path);
  expect(events).toEqual(log.events);
  expect(events.map(({ seq, mono_ms, prev }) => ({ seq, mono_ms, prev }))).toEqual([
    { seq: 0, mono_ms: 5, prev: ZERO_DIGEST },
    { seq: 1, mono_ms: 10, prev: events[0]?.hash },
  ]);
  expect(log.head).toBe(events[1]?.hash);
});

test('a line can be checked with sha256 alone: its hash covers all but its last member', () => {
  logOf(['one']);
  const line = readFileSync(path, 'utf8').trimEnd();
  const stated = line.slice(-66, -2);
  expect(sha256(`${line.slice(0, line.lastIndexOf(',"hash":"'))}}`)).toBe(stated);
});

test('any text round-trips, and any chain can be continued', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), fc.string(), (texts, further) => {
      rmSync(path, { force: true });
      const before = logOf(texts);
      const resumed = new EventLog(path, { clock: tickingClock(), startedMono: 0, previous: readEvents(path) });
      resumed.append('engine.message', 'engine', { text: further });
      resumed.close();
      const events = readEvents(path);
      expect(events).toEqual(resumed.events);
      expect(events.slice(0, -1)).toEqual(before.events);
    }),
    { numRuns: 40 },
  );
});

test('a lone surrogate from an engine does not end the run', () => {
  const log = logOf(['a\ud800b']);
  expect(log.events[0]?.data).toEqual({ text: 'a\ufffdb' });
});

test('a changed byte is an error that names the line number', () => {
  logOf(['first', 'second', 'third']);
  const whole = readFileSync(path);
  const lineEnds = [...whole.keys()].filter((at) => whole[at] === 10);
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ flip;
      writeFileSync(path, changed);
      const line = lineEnds.filter((end) => end < at).length + 1;
      expect(() => readEvents(path)).toThrow(`line ${line}:`);
    }),
  );
});

test('detects a removed, repeated or swapped line', () => {
  logOf(['first', 'second', 'third']);
  const [a = '', b = '', c = ''] = readFileSync(path, 'utf8').split('\n');
  for (const lines of [
    [b, c],
    [a, c],
    [a, a, b],
    [b, a, c],
  ]) {
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    expect(() => readEvents(path)).toThrow(/line \d: (seq|does not follow)/);
  }
});

test('detects a line copied from the same position of another log', () => {
  logOf(['first', 'second']);
  const [, second = ''] = readFileSync(path, 'utf8').split('\n');
  rmSync(path);
  logOf(['other']);
  writeFileSync(path, `${readFileSync(path, 'utf8')}${second}\n`);
  expect(() => readEvents(path)).toThrow('line 2: does not follow from the previous line');
});

test('rejects an event that does not match its schema, and writes nothing', () => {
  const log = logOf([]);
  const bad = new EventLog(path, { clock: tickingClock(), startedMono: 0 });
  // @ts-expect-error a number instead of a string
  expect(() => bad.append('engine.message', 'engine', { text: 1 })).toThrow('data.text');
  // @ts-expect-error a property that is not in the schema
  expect(() => bad.append('engine.message', 'engine', { text: '', more: 1 })).toThrow('more');
  bad.close();
  expect(readFileSync(path, 'utf8')).toBe('');
  expect(bad.head).toBe(log.head);
});

test('the error for a full disk has the path and says what to do', () => {
  const log = new EventLog('/dev/full', { clock: tickingClock(), startedMono: 0 });
  expect(() => log.append('engine.message', 'engine', { text: '' })).toThrow(
    /artifact write failed: \/dev\/full: the disk is full; free some space/,
  );
  log.close();
});

test('rejects a line in another form than the canonical one, although its hash is right', () => {
  logOf(['one']);
  const line = readFileSync(path, 'utf8').trimEnd();
  const { hash: _hash, ...body } = JSON.parse(line);
  const forms = [
    JSON.stringify(Object.fromEntries(Object.entries(body).toReversed())),
    JSON.stringify(body).replace('{', '{ '),
    JSON.stringify(body).replace('"one"', String.raw`"\u006fne"`),
    JSON.stringify(body).replace('"text":"one"', '"text":"two","text":"one"'),
  ];
  for (const form of forms) {
    writeFileSync(path, `${form.slice(0, -1)},"hash":"${sha256(form)}"}\n`);
    expect(() => readEvents(path), form).toThrow('line 1: is not in canonical form');
  }
});
