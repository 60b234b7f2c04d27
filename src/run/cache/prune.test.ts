import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemProcesses } from '../../evidence/bundle/running.ts';
import { listCache } from './entries.ts';
import { pruneCache, selectForEviction } from './prune.ts';
import { noteUse } from './uses.ts';

const NOW = new Date('2026-01-10T00:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'seatrial-cache-'));
  setup(OLD, 9);
  setup(NEW, 1);
  mkdirSync(join(cache, 'base'));
  file(join('base', `${OLD}.json`), 5);
  file(`tool-${'c'.repeat(32)}.json`, 3);
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

function file(name: string, days: number): void {
  writeFileSync(join(cache, name), 'x'.repeat(5000));
  utimesSync(join(cache, name), daysAgo(days), daysAgo(days));
}

function setup(key: string, days: number): void {
  mkdirSync(join(cache, 'provision', key, 'tree'), { recursive: true });
  writeFileSync(join(cache, 'provision', key, 'tree', 'module.js'), 'x'.repeat(20_000));
  file(join('provision', `${key}.lock`), days);
}

const names = (): string[] => listCache(cache).map(({ kind, name }) => `${kind} ${name.slice(0, 4)}`);
const removed = async (rules: Parameters<typeof pruneCache>[1]): Promise<string[]> =>
  (await pruneCache(cache, rules, NOW)).map(({ kind, name }) => `${kind} ${name.slice(0, 4)}`);

describe('the cache', () => {
  it('lists what setups made, records and facts about programs, and no half-finished entry', () => {
    mkdirSync(join(cache, 'provision', `.filling-${OLD}-123456`));
    expect(names()).toEqual(['setup aaaa', 'setup bbbb', 'record aaaa', 'program tool']);
  });

  it('is empty where there is no directory', () => {
    expect(listCache(join(cache, 'missing'))).toEqual([]);
  });

  it('loses what was not used for longest first, until the rest fits', async () => {
    expect(await removed({ maxBytes: 45_000 })).toEqual(['setup aaaa']);
    expect(names()).toEqual(['setup bbbb', 'record aaaa', 'program tool']);
  });

  it('loses what was not used for some days', async () => {
    expect(await removed({ olderThanDays: 4 })).toEqual(['setup aaaa', 'record aaaa']);
  });

  it('keeps what a living process uses, and forgets processes that are gone', async () => {
    noteUse(join(cache, 'provision'), OLD);
    writeFileSync(join(cache, 'uses', `${NEW}-4194305-1`), `${systemProcesses.bootId} ${systemProcesses.pidNamespace}`);
    expect(await removed({ maxBytes: -1 })).toEqual(['record aaaa', 'program tool', 'setup bbbb']);
    expect(names()).toEqual(['setup aaaa']);
    expect(existsSync(join(cache, 'uses', `${NEW}-4194305-1`))).toBe(false);
  });
});

const entry = fc.record({ bytes: fc.nat(100), usedMs: fc.nat(1000), inUse: fc.boolean() });

it('never removes what is in use, nor anything that was used after what stays, nor more than it has to', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.nat(1000), (entries, maxBytes) => {
      const gone = selectForEviction(entries, { maxBytes }, NOW);
      const left = entries.filter((one) => !gone.includes(one));
      const sum = (all: readonly { readonly bytes: number }[]): number =>
        all.map(({ bytes }) => bytes).reduce((total, bytes) => total + bytes, 0);
      expect(gone.filter(({ inUse }) => inUse)).toEqual([]);
      expect(sum(left) <= maxBytes || left.every(({ inUse }) => inUse)).toBe(true);
      const last = gone.at(-1) ?? { usedMs: 0, bytes: Infinity };
      expect(left.filter(({ inUse, usedMs }) => !inUse && usedMs < last.usedMs)).toEqual([]);
      expect(sum(left) + last.bytes).toBeGreaterThan(maxBytes);
    }),
  );
});
