import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PANES } from '../../engines/pane/list.ts';
import type { ScreenState } from '../../engines/pane/screen.ts';
import { readHooks, withHooks } from './hooks.ts';

const NOW = new Date('2026-11-17T06:00:00.000Z');

function hooksDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-hooks-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

const event = (dir: string, at: number, name: string): void =>
  writeFileSync(join(dir, `${at}000000.json`), JSON.stringify({ hook_event_name: name }));

test('the last event that says anything counts; drafts, links and other files do not', () => {
  const claude = PANES.get('claude') ?? {};
  const dir = hooksDir();
  expect(readHooks(dir, claude)).toBeNull();
  expect(readHooks(join(dir, 'none'), claude)).toBeNull();
  event(dir, NOW.getTime() - 2000, 'Stop');
  event(dir, NOW.getTime() - 1000, 'UserPromptSubmit');
  event(dir, NOW.getTime(), 'SessionStart');
  writeFileSync(join(dir, '.event.x'), JSON.stringify({ hook_event_name: 'Stop' }));
  symlinkSync(join(dir, '.event.x'), join(dir, `${NOW.getTime() + 1}000000.json`));
  expect(readHooks(dir, claude)).toMatchObject({ state: 'working', at: new Date(NOW.getTime() - 1000) });
});

test('old events are removed', () => {
  const dir = hooksDir();
  for (let at = 0; at < 250; at += 1) event(dir, NOW.getTime() + at, 'PreToolUse');
  readHooks(dir, PANES.get('claude') ?? {});
  expect(readdirSync(dir)).toHaveLength(200);
});

test.each<[ScreenState, 'working' | 'idle' | 'permission', number, ScreenState]>([
  // The hook has the last word on working and idle …
  ['idle', 'working', 1, 'working'],
  ['working', 'idle', 1, 'idle'],
  ['unknown', 'working', 1000, 'working'],
  ['idle', 'permission', 1, 'permission'],
  // … but a turn that was interrupted ends without an event,
  ['idle', 'working', 60, 'idle'],
  // and it knows nothing of these.
  ['login', 'working', 1, 'login'],
  ['limit', 'idle', 1, 'limit'],
  ['retrying', 'working', 1, 'retrying'],
  ['permission', 'working', 1, 'permission'],
])('screen %s, hook %s %i s ago: %s', (state, hook, age, expected) => {
  const at = new Date(NOW.getTime() - age * 1000);
  const screen = { state, evidence: 'x', until: null };
  expect(withHooks(screen, { state: hook, at, file: 'f' }, NOW)?.state).toBe(expected);
  expect(withHooks(screen, null, NOW)).toBe(screen);
});
