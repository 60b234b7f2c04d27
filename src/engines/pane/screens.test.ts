import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../kernel/package-root.ts';
import { PANES } from './list.ts';
import { resetTime } from './reset-time.ts';
import { readScreen, type ScreenState } from './screen.ts';

/** Screens of the real programs, recorded in tmux. */
const SCREENS = join(packageRoot(), 'tests', 'screens');
const NOW = new Date('2026-11-15T23:30:00Z');

/** The program has ended: whether it lives is read from its process, never from its screen. */
const ENDED =
  /^(?:after-|crashed-|resume-bad-id|refused-as-root|first-run-offline|bypass-warning-enter-exits|config-error)/;

/** What a screen must be read as, by its name; names that say it themselves are not listed. */
const MEANING: Readonly<Record<string, ScreenState>> = {
  'api-key-prompt': 'login',
  'bypass-permissions-warning': 'trust',
  'dead-endpoint': 'error',
  'first-run': 'idle',
  interrupted: 'idle',
  'message-queued': 'idle',
  'model-upgrade-prompt': 'permission',
  'question-prompt': 'permission',
  'rate-limit-429': 'error',
  'resume-locked': 'error',
  'resume-start': 'idle',
  starting: 'unknown',
  'term-dumb-prompt': 'permission',
  'paste-swallowed-by-trust-dialog': 'trust',
  // With a key instead of a subscription a limit is an error like any other.
  'claude/usage-limit-apikey': 'error',
  'claude/error-401': 'login',
  'claude/ctrl-c-once': 'login',
  // An old error is the last thing that the transcript shows.
  'claude/resume-start': 'error',
  'codex/resume-start': 'error',
  'pi/resume-start': 'limit',
  'opencode/resume-start': 'error',
  // It does not show that it tries again.
  'pi/retrying-429': 'working',
  'qwen/retrying-429': 'working',
  'qwen/retrying-usage-limit': 'working',
  'gemini/retrying-429': 'working',
  'gemini/retrying-500': 'working',
  'gemini/retrying-dead-endpoint': 'working',
  // Nothing on its screen tells an interrupted turn from a failed one.
  'opencode/interrupted': 'error',
  'opencode/esc-once': 'limit',
  'opencode/retrying-usage-limit': 'limit',
  'pi/ctrl-c-once': 'error',
  'qwen/ctrl-c-once': 'error',
  'gemini/ctrl-c-once': 'idle',
};
const BY_PREFIX: readonly (readonly [RegExp, ScreenState])[] = [
  [/^(?:idle|finished|pasted)/, 'idle'],
  [/^working/, 'working'],
  [/^permission/, 'permission'],
  [/^(?:login|not-logged-in)/, 'login'],
  [/^(?:trust|onboarding)/, 'trust'],
  [/^retrying/, 'retrying'],
  [/^usage-limit/, 'limit'],
  [/^error/, 'error'],
];

const titles = new Map<string, string>(
  readFileSync(join(SCREENS, 'titles.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([program = '', name = '', title = '']) => [`${program}/${name}`, title] as const),
);

function screenOf(path: string) {
  const lines = readFileSync(join(SCREENS, `${path}.txt`), 'utf8').split('\n');
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  return { title: titles.get(path) ?? '', lines };
}

function meaningOf(program: string, name: string): ScreenState | undefined {
  return MEANING[`${program}/${name}`] ?? MEANING[name] ?? BY_PREFIX.find(([pattern]) => pattern.test(name))?.[1];
}

const programs = readdirSync(SCREENS, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe.each(programs.map(({ name }) => name))('screens of %s', (program) => {
  const names = readdirSync(join(SCREENS, program)).map((file) => file.replace(/\.txt$/, ''));

  test.each(names.filter((name) => !ENDED.test(name)))('%s is read as what it is', (name) => {
    const rules = PANES.get(program)?.screens ?? [];
    expect(readScreen(rules, screenOf(`${program}/${name}`), NOW).state).toBe(meaningOf(program, name));
  });
});

test('Codex works for as long as its title turns, also when its composer is back while it writes an answer', () => {
  const finished = screenOf('codex/finished');
  const state = (title: string) => readScreen(PANES.get('codex')?.screens ?? [], { ...finished, title }, NOW).state;
  expect([state('\u2826 repo'), state('repo')]).toEqual(['working', 'idle']);
});

test('the end of a limit is read from the screen', () => {
  const until = (program: string, name = 'usage-limit') =>
    readScreen(PANES.get(program)?.screens ?? [], screenOf(`${program}/${name}`), NOW).until;
  expect(until('claude')).toEqual(new Date('2026-11-16T02:07:00Z'));
  expect(until('claude', 'usage-limit-menu')).toEqual(new Date('2026-11-16T02:07:00Z'));
  expect(until('codex')).toEqual(new Date(2026, 10, 16, 2, 7));
});

test.each([
  ['2:07am (UTC)', new Date('2026-11-16T02:07:00Z')],
  ['11:45pm (UTC)', new Date('2026-11-15T23:45:00Z')],
  ['3pm (UTC)', new Date('2026-11-16T15:00:00Z')],
  ['12am (UTC)', new Date('2026-11-16T00:00:00Z')],
  ['Nov 20, 3pm (UTC)', new Date('2026-11-20T15:00:00Z')],
  ['Jan 2, 3pm (UTC)', new Date('2027-01-02T15:00:00Z')],
  ['soon', null],
  ['99:99pm', null],
])('a limit until %s', (text, expected) => {
  expect(resetTime(text, NOW)).toEqual(expected);
});
