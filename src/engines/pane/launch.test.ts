import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { KICKOFF_ARGUMENT, type PaneContext } from './definition.ts';
import { PANES } from './list.ts';

const scratch = mkdtempSync(join(tmpdir(), "seatrial pane's-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';
const context: PaneContext = {
  cwd: '/project/clone',
  model: 'vendor/large',
  configDir: join(scratch, 'config'),
  hooksDir: join(scratch, 'hooks'),
  conversation: ID,
  args: ['--extra'],
  command: null,
};
const agents = [...PANES].filter(([, pane]) => pane.asksModel);

describe.each(agents)('%s in a pane', (_name, pane) => {
  test('gets the kickoff once, its model, the arguments of agents.toml and a configuration of its own', () => {
    const { argv, env } = pane.start(context);
    expect(argv.filter((word) => word === KICKOFF_ARGUMENT)).toHaveLength(1);
    expect(argv.join(' ')).toMatch(/vendor\/large|vendor --model large/);
    expect(argv).toContain('--extra');
    expect(argv[0]).toBe(pane.program);
    expect(Object.values(env).some((value) => value.startsWith(context.configDir))).toBe(true);
  });

  test('leaves the choice of a model to the program where agents.toml names none', () => {
    expect(pane.start({ ...context, model: null }).argv).not.toContain('--model');
  });

  test('goes on with the conversation that it had', () => {
    const argv: readonly string[] = pane.resume(context)?.argv ?? [];
    expect(argv.includes(ID) || argv.includes('--continue')).toBe(true);
    expect(argv.includes(KICKOFF_ARGUMENT)).toBe(pane.resumedKickoff !== 'paste');
  });

  test('has a command that signs it in', () => {
    expect(pane.signIn?.command[0]).toBe(pane.program);
  });
});

describe.each(agents.filter(([, pane]) => pane.trusts !== undefined))(
  '%s asks if it may trust a directory',
  (name, pane) => {
    test('its configuration answers for the directory of the agent, and for no other', () => {
      const configDir = join(scratch, `trust-${name}`);
      mkdirSync(configDir);
      const trusts = (cwd: string): boolean | undefined => pane.trusts?.(configDir, cwd);
      // What the first start will write answers it.
      expect(trusts(context.cwd)).toBe(true);
      const { files } = pane.start({ ...context, configDir });
      for (const [file, content] of Object.entries(files)) writeFileSync(join(configDir, file), content);
      expect([context.cwd, '/project', '/project/clone/below', '/elsewhere'].map(trusts)).toEqual([
        true,
        false,
        false,
        false,
      ]);
      for (const file of Object.keys(files)) writeFileSync(join(configDir, file), '{"projects": ');
      expect(trusts(context.cwd)).toBe(false);
    });
  },
);

describe('claude tells by hooks what it does', () => {
  const claude = PANES.get('claude');

  test('each event becomes one file, whatever the directory is called', () => {
    const settings = claude?.start(context).files['settings.json'] ?? '';
    const { hooks } = JSON.parse(settings) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    mkdirSync(context.hooksDir);
    const event = JSON.stringify({ hook_event_name: 'Stop' });
    execFileSync('/bin/sh', ['-c', hooks['Stop']?.[0]?.hooks[0]?.command ?? ''], { input: event });
    const [file = '', ...others] = readdirSync(context.hooksDir);
    expect(others).toEqual([]);
    expect(readFileSync(join(context.hooksDir, file), 'utf8')).toBe(event);
  });

  test.each([
    [{ hook_event_name: 'UserPromptSubmit' }, 'working'],
    [{ hook_event_name: 'PreToolUse' }, 'working'],
    [{ hook_event_name: 'Stop' }, 'idle'],
    [{ hook_event_name: 'Notification', message: 'Claude needs your permission to use Bash' }, 'permission'],
    [{ hook_event_name: 'Notification', message: 'Claude is waiting for your input' }, 'idle'],
    [{ hook_event_name: 'SessionStart' }, null],
    ['not an event', null],
  ])('%j', (event, expected) => {
    expect(claude?.readHook?.(JSON.stringify(event))).toBe(expected);
    expect(claude?.readHook?.('{')).toBeNull();
  });
});

test('codex and pi name the newest of their conversations', () => {
  const codex = join(scratch, 'codex');
  const pi = join(scratch, 'pi');
  const other = ID.replace('0f0e', 'ffff');
  const LONG_AGO = new Date(0);
  const files = [
    [codex, 'sessions/2026/11/16', `rollout-2026-11-16T02-00-00-${other}.jsonl`, 1],
    [codex, 'sessions/2026/11/17', `rollout-2026-11-17T02-00-00-${ID}.jsonl`, 2],
    [pi, 'sessions/--work--', `2026-11-17_${ID}.jsonl`, 2],
    [pi, 'sessions/--work--', `2026-11-18_${other}.jsonl`, 1],
  ] as const;
  for (const [root, dir, name, at] of files) {
    mkdirSync(join(root, dir), { recursive: true });
    writeFileSync(join(root, dir, name), '');
    utimesSync(join(root, dir, name), at, at);
  }
  expect(PANES.get('codex')?.findConversation?.(codex, LONG_AGO)).toBe(ID);
  expect(PANES.get('pi')?.findConversation?.(pi, LONG_AGO)).toBe(ID);
  expect(PANES.get('codex')?.findConversation?.(join(scratch, 'none'), LONG_AGO)).toBeNull();
  // Those of earlier starts do not count.
  expect(PANES.get('codex')?.findConversation?.(codex, new Date(Date.now() + 60_000))).toBeNull();
});
