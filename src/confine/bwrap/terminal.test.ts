import { expect, test } from 'vitest';
import { accessAt, effectiveRules, type PathRule, terminalArgs } from './terminal.ts';

const RULES: readonly PathRule[] = [
  { path: '/', access: 'read' },
  { path: '/tmp', access: 'private' },
  { path: '/tmp/p/log', access: 'hidden' },
  { path: '/tmp/p', access: 'read' },
  { path: '/tmp/p/log/mine', access: 'write' },
  { path: '/srv/key', access: 'hidden', kind: 'file' },
];

test.each([
  ['/etc/passwd', 'read'],
  ['/tmp/other', 'private'],
  ['/tmp/p/agents.toml', 'read'],
  ['/tmp/p/log/state', 'hidden'],
  ['/tmp/p/log/mine/x', 'write'],
  ['/tmp/p/log/mine2', 'hidden'],
  ['/srv/key', 'hidden'],
])('%s is %s: the nearest rule above decides, wherever it stands in the list', (path, access) => {
  expect(accessAt(RULES, path)).toBe(access);
});

test('of two rules for one path the later one counts, and rules that change nothing are not mounted', () => {
  expect(
    effectiveRules([
      ...RULES,
      { path: '/usr/bin', access: 'read' },
      { path: '/tmp/sockets', access: 'hidden' },
      { path: '/tmp/p/log/mine', access: 'read', source: '/elsewhere' },
    ]).map(({ path }) => path),
  ).toEqual(['/', '/tmp', '/tmp/p', '/srv/key', '/tmp/p/log', '/tmp/p/log/mine']);
});

test('outer paths are mounted before inner ones, and hidden directories are closed at the end', () => {
  const args = terminalArgs({ rules: RULES, cwd: '/tmp/p/log/mine', user: { uid: 7, gid: 8 } }).join(' ');
  expect(args).toMatch(
    /--ro-bind \/ \/ --proc \/proc --dev \/dev .*--tmpfs \/tmp .*--ro-bind \/tmp\/p \/tmp\/p .*--ro-bind \/dev\/null \/srv\/key .*--tmpfs \/tmp\/p\/log .*--bind \/tmp\/p\/log\/mine .*--remount-ro \/tmp\/p\/log --chdir/,
  );
  expect(args).not.toContain('--new-session');
});

test('without rules it is the machine as it is, with processes of its own', () => {
  const args = terminalArgs({ rules: null, cwd: '/w', user: { uid: 7, gid: 8 } }).join(' ');
  expect(args).toContain('--unshare-pid');
  expect(args).toContain('--dev-bind / / --proc /proc --chdir /w');
});
