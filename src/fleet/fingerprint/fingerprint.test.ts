import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, afterEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { compareFingerprints } from './compare.ts';
import type { Fingerprint } from './schema.ts';
import { takeFingerprint } from './take.ts';

let dir: string;
const asked = { files: [], except: [], commands: [] };
const take = (more: Partial<Fingerprint['asked']> = {}): Promise<Fingerprint> =>
  takeFingerprint(
    dir,
    { ...asked, ...more },
    {
      env: { SEATRIAL_TMUX_SOCKET: join(dir, 'no-server'), PATH: '/usr/bin:/bin' },
      clock: systemClock,
    },
  );

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-fingerprint-'));
  mkdirSync(join(dir, 'prompts'));
  mkdirSync(join(dir, '.ao-state/state'), { recursive: true });
  writeFileSync(join(dir, 'agents.toml'), 'session_prefix = "fp-"\n[agents.one]\nkind = "service"\ncommand = "true"\n');
  writeFileSync(join(dir, 'prompts/builder.md'), 'Build.\n');
  writeFileSync(join(dir, '.ao-state/state/phase-idx'), '1\n');
  writeFileSync(join(dir, '.ao-state/state/journal.jsonl'), '{"a":1}\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function changesAfter(change: () => void): Promise<string[]> {
  const before = await take();
  change();
  return compareFingerprints(before, await take()).map(
    ({ kind, name, text }) => `${kind} ${name.replace(dir, '')}: ${text}`,
  );
}

test('nothing is reported when nothing was done, and when a log grew', async () => {
  expect(await changesAfter(() => {})).toEqual([]);
  const journal = join(dir, '.ao-state/state/journal.jsonl');
  expect(await changesAfter(() => appendFileSync(journal, '{"b":2}\n'))).toEqual([]);
  expect(await changesAfter(() => writeFileSync(join(dir, '.ao-state/watchdog.log'), 'up\n'))).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  [
    'a touched file',
    () => utimesSync(join(dir, 'agents.toml'), new Date(), new Date('2030-01-01')),
    /^file \/agents\.toml: it was touched \(mtime .* to 2030-01-01T/,
  ],
  [
    'one character of a prompt',
    () => {
      writeFileSync(join(dir, 'prompts/builder.md'), 'Built.\n');
      utimesSync(join(dir, 'prompts/builder.md'), new Date('2030-01-01'), new Date('2030-01-01'));
    },
    /^file \/prompts\/builder\.md: its content changed/,
  ],
  [
    'a file that was replaced by its copy',
    () => {
      writeFileSync(join(dir, '.ao-state/state/phase-idx.new'), '1\n');
      renameSync(join(dir, '.ao-state/state/phase-idx.new'), join(dir, '.ao-state/state/phase-idx'));
    },
    /^file \/\.ao-state\/state\/phase-idx: it was replaced/,
  ],
  ['a new file', () => writeFileSync(join(dir, 'new'), ''), /^file \/new: is new$/],
  ['a file that is gone', () => rmSync(join(dir, 'prompts/builder.md')), /^file \/prompts\/builder\.md: is gone$/],
  [
    'a journal that was rewritten',
    () => writeFileSync(join(dir, '.ao-state/state/journal.jsonl'), '{"a":2}\n{"b":2}\n'),
    /^growing file \/\.ao-state\/state\/journal\.jsonl: its earlier content changed$/,
  ],
])('%s is named', async (_what, change, expected) => {
  const changes = await changesAfter(change);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatch(expected);
});

test('what a command prints is compared, and a file can be left out', async () => {
  const file = join(dir, 'counter');
  writeFileSync(file, '1');
  const more = { commands: [`cat '${file}'`], except: [file] };
  const before = await take(more);
  writeFileSync(file, '2');
  expect(compareFingerprints(before, await take(more))).toEqual([
    { kind: 'command', name: `cat '${file}'`, text: 'printed "1", now "2"' },
  ]);
});

test('another pane process, a new session and a second watchdog are named', async () => {
  const before = await take();
  const session = { name: 'fp-one', pid: 10, start_time: '5', dead: false };
  const watchdog = { pid: 20, start_time: '6', project: '/live' };
  const live = { ...before, fixed: { ...before.fixed, sessions: [session], watchdogs: [watchdog] } };
  const later = {
    ...live,
    fixed: {
      ...live.fixed,
      sessions: [
        { ...session, pid: 11 },
        { ...session, name: 'fp-two' },
      ],
      watchdogs: [watchdog, { pid: 21, start_time: '7', project: '/staged' }],
    },
  };
  expect(compareFingerprints(live, later).map(({ kind, name, text }) => `${kind} ${name}: ${text}`)).toEqual([
    'session fp-one: its pane has another process (10 to 11)',
    'session fp-two: is new',
    'watchdog watchdogs: were 1 (process 20 for /live), are 2 (process 20 for /live, process 21 for /staged)',
  ]);
});
