import { describe, expect, test } from 'vitest';
import type { Guard, SessionHost, SessionRequest } from './port.ts';

/** What the suite needs of a host: an empty one, and programs that behave in four ways. */
export interface HostSubject {
  readonly host: SessionHost;
  program(what: 'say' | 'exit' | 'echo' | 'wait', argument?: string): readonly string[];
}

const ME = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const FENCE = { name: 'watchdog-test', value: 3 };

/** Every host of sessions keeps to this, the fake included. */
export function hostConformance(open: () => HostSubject): void {
  const guard = (changes: Partial<Guard> = {}): Guard => ({ project: ME, spawn: 's1', fence: null, ...changes });
  const request = (argv: readonly string[], changes: Partial<SessionRequest> = {}): SessionRequest => ({
    name: 'box',
    project: ME,
    spawn: 's1',
    cwd: '/',
    argv,
    fence: null,
    ...changes,
  });
  const session = async (host: SessionHost, name = 'box') => {
    const view = await host.list();
    return view.kind === 'present' ? view.sessions.get(name) : undefined;
  };

  describe('a session', () => {
    test('is absent before it is created, and then listed with its project, start and process', async () => {
      const { host, program } = open();
      expect((await host.list()).kind).toBe('absent');
      expect(await host.create(request(program('wait')))).toEqual({ kind: 'done' });
      expect(await session(host)).toMatchObject({ name: 'box', project: ME, spawn: 's1', dead: null });
      expect((await session(host))?.pid).toBeGreaterThan(1);
    });

    test('keeps its name for itself', async () => {
      const { host, program } = open();
      await host.create(request(program('wait')));
      expect(await host.create(request(program('wait'), { spawn: 's2' }))).toEqual({ kind: 'taken' });
      expect((await session(host))?.spawn).toBe('s1');
    });

    test('stays with a dead pane when its program ends, with the exit code if the host caught it', async () => {
      const { host, program } = open();
      await host.create(request(program('exit', '7')));
      await expect.poll(async () => (await session(host))?.dead, { timeout: 20_000 }).not.toBeNull();
      expect([7, null]).toContain((await session(host))?.dead?.code);
    });

    test('is meant by its exact name', async () => {
      const { host, program } = open();
      await host.create(request(program('wait'), { name: 'box-2' }));
      expect(await host.end('box', guard())).toEqual({ kind: 'gone' });
      expect(await host.screen('box')).toBeNull();
      expect(await session(host, 'box-2')).toBeDefined();
    });

    test('shows what its program prints', async () => {
      const { host, program } = open();
      await host.create(request(program('say', 'hello there')));
      await expect.poll(async () => (await host.screen('box'))?.lines, { timeout: 20_000 }).toContain('hello there');
    });

    test('takes text by paste and Enter', async () => {
      const { host, program } = open();
      await host.create(request(program('echo')));
      await expect
        .poll(() => host.paste('box', "it's $HOME; {x}", guard()), { timeout: 20_000 })
        .toEqual({ kind: 'done' });
      expect(await host.press('box', 'Enter', guard())).toEqual({ kind: 'done' });
      await expect
        .poll(async () => (await host.screen('box'))?.lines, { timeout: 20_000 })
        .toContain("got it's $HOME; {x}");
    });

    test('is gone after its end', async () => {
      const { host, program } = open();
      await host.create(request(program('wait')));
      await host.create(request(program('wait'), { name: 'stays' }));
      expect(await host.end('box', guard())).toEqual({ kind: 'done' });
      expect(await session(host)).toBeUndefined();
      expect(await host.end('box', guard())).toEqual({ kind: 'gone' });
    });
  });

  describe('a change is refused', () => {
    test.each<[string, Partial<Guard>]>([
      ['to a session of another project', { project: OTHER }],
      ['to another start', { spawn: 's0' }],
      ['by a watchdog without a fence', { fence: FENCE }],
    ])('%s', async (_what, changes) => {
      const { host, program } = open();
      await host.create(request(program('wait')));
      expect(await host.end('box', guard(changes))).toEqual({ kind: 'refused' });
      expect(await host.paste('box', 'x', guard(changes))).toEqual({ kind: 'refused' });
      expect(await host.press('box', 'Enter', guard(changes))).toEqual({ kind: 'refused' });
      expect((await session(host))?.dead).toBeNull();
    });

    test('by a watchdog that was replaced', async () => {
      const { host, program } = open();
      await host.create(request(program('wait')));
      expect(await host.fence(FENCE.name)).toBeNull();
      expect(await host.raiseFence(FENCE)).toBe(true);
      expect(await host.raiseFence(FENCE)).toBe(false);
      expect(await host.raiseFence({ ...FENCE, value: 2 })).toBe(false);
      const later = { ...FENCE, value: 4 };
      expect(await host.raiseFence(later)).toBe(true);
      expect(await host.fence(FENCE.name)).toBe(4);
      expect(await host.create(request(program('wait'), { name: 'new', fence: FENCE }))).toEqual({ kind: 'refused' });
      expect(await host.end('box', guard({ fence: FENCE }))).toEqual({ kind: 'refused' });
      expect(await host.create(request(program('wait'), { name: 'new', fence: later }))).toEqual({ kind: 'done' });
      expect(await host.end('box', guard({ fence: later }))).toEqual({ kind: 'done' });
      expect(await session(host, 'new')).toMatchObject({ project: ME, spawn: 's1', dead: null });
    });
  });
}
