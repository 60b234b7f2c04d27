import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { openJournal } from './store.ts';

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-journal-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'state');
}

const SET = { type: 'phase.set', index: 1, by: 'me' } as const;

test('facts are read in the order in which they were appended, by any number of writers', async () => {
  const dir = place();
  const [one, other] = [openJournal(dir, systemClock), openJournal(dir, systemClock)];
  await Promise.all([0, 1, 2, 3].map((index) => (index % 2 === 0 ? one : other).append({ ...SET, index })));
  const entries = one.read();
  expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(
    entries.flatMap((entry) => (entry.type === 'phase.set' ? [entry.index] : [])).toSorted((a, b) => a - b),
  ).toEqual([0, 1, 2, 3]);
});

test('reading a journal that does not exist gives no facts and creates nothing', () => {
  const dir = place();
  expect(openJournal(dir, systemClock).read()).toEqual([]);
  expect(() => readdirSync(dir)).toThrow('ENOENT');
});

test('a torn last line is not read, and the next writer cuts it off, keeps it and notes it', async () => {
  const dir = place();
  const journal = openJournal(dir, systemClock);
  await journal.append(SET);
  appendFileSync(join(dir, 'journal.jsonl'), '{"type":"pha');
  expect(journal.read()).toHaveLength(1);
  await journal.append({ ...SET, index: 2 });
  expect(journal.read().map(({ type }) => type)).toEqual(['phase.set', 'journal.torn', 'phase.set']);
  const kept = readdirSync(dir).find((name) => name.startsWith('journal.torn-')) ?? '';
  expect(readFileSync(join(dir, kept), 'utf8')).toBe('{"type":"pha');
});

test('a changed line is an error that names it', async () => {
  const dir = place();
  const journal = openJournal(dir, systemClock);
  await journal.append(SET, SET);
  const path = join(dir, 'journal.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"index":1', '"index":0'));
  expect(() => journal.read()).toThrow(/journal\.jsonl line 1: .*does not match its hash/);
});

test('a reader goes on where it stopped, and notices that what it has read was changed', async () => {
  const dir = place();
  const [writer, reader] = [openJournal(dir, systemClock), openJournal(dir, systemClock)];
  const path = join(dir, 'journal.jsonl');
  await writer.append(SET);
  const [first] = reader.read();
  await writer.append({ ...SET, index: 2 });
  appendFileSync(path, '{"torn');
  expect(reader.read()).toHaveLength(2);
  // The very same objects: nothing was decoded twice.
  expect(reader.read()[0]).toBe(first);
  await writer.append({ ...SET, index: 3 });
  expect(reader.read().map(({ type }) => type)).toEqual(['phase.set', 'phase.set', 'journal.torn', 'phase.set']);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${lines.slice(0, 1).join('\n')}\n`);
  expect(reader.read()).toHaveLength(1);
  rmSync(path);
  expect(reader.read()).toEqual([]);
});

test('a transaction decides on all facts so far', async () => {
  const journal = openJournal(place(), systemClock);
  const once = () => journal.transact((entries) => (entries.length === 0 ? [SET] : []));
  await Promise.all([once(), once(), once()]);
  expect(journal.read()).toHaveLength(1);
});
