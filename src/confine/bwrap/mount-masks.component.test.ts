import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, chmodSync, lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { masksFor, refuseSource } from './mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import type { Mount } from '../types.ts';

vi.setConfig({ testTimeout: 60_000 });

const segment = fc.constantFrom('a', 'b', 'ab', 'c');
const absolute = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);

describe('a hidden path', () => {
  it('is masked at every path where a bind would expose it, and nowhere else', () => {
    fc.assert(
      fc.property(absolute, absolute, absolute, (path, source, target) => {
        const covers = masksFor([{ source, target }], [{ path, kind: 'dir' }]);
        const shows = path !== source && path.startsWith(`${source}/`);
        expect(covers.map((cover) => cover.target)).toEqual(shows ? [target + path.slice(source.length)] : []);
      }),
    );
  });

  it('refuses every source inside it, and every source that contains a home directory', () => {
    fc.assert(
      fc.property(absolute, absolute, (source, protectedPath) => {
        const boundaries = {
          scratch: '/scratch',
          covered: [{ path: protectedPath, kind: 'dir' } as const],
          homes: [],
        };
        expect(refuseSource(source, boundaries) !== null).toBe(isWithin(source, protectedPath));
        const home = { scratch: '/scratch', covered: [], homes: [protectedPath] };
        expect(refuseSource(source, home) !== null).toBe(isWithin(protectedPath, source));
      }),
    );
  });

  it('allows mounting parts of the scratch directory, but not all of it', () => {
    const boundaries = { scratch: '/t/s', covered: [{ path: '/t', kind: 'dir' } as const], homes: ['/t/s/w'] };
    expect(refuseSource('/t/s/w', boundaries)).toBeNull();
    expect(refuseSource('/t/s', boundaries)).not.toBeNull();
  });
});

describe('a sandbox', () => {
  let dir: string;
  let scratch: string;
  beforeEach(() => {
    scratch = makeScratch();
    dir = mkdtempSync(join(tmpdir(), 'seatrial-cover-'));
    chmodSync(dir, 0o755);
    mkdirSync(join(dir, 'install/tasks/sealed'), { recursive: true });
    writeFileSync(join(dir, 'install/tasks/sealed/answer'), '42');
    writeFileSync(join(dir, 'install/key'), 'secret');
    writeFileSync(join(dir, 'install/readme'), 'hello');
    symlinkSync('install/tasks', join(dir, 'by-link'));
  });
  afterEach(async () => {
    rmSync(dir, { recursive: true });
    await removeScratch(scratch);
  });

  async function said(covered: readonly string[], mounts: readonly Mount[], script: string) {
    const confinement = await openConfinement({ kind: 'bubblewrap', scratch, covered });
    const sandboxed = confinement.start({
      argv: ['/bin/sh', '-c', script],
      env: {},
      cwd: '/',
      mounts,
      limits: DEFAULT_LIMITS,
      timeoutMs: 20_000,
    });
    const [stdout, end] = await Promise.all([text(sandboxed.stdout), sandboxed.ended]);
    return { stdout, end };
  }

  it('hides a directory or file below a mount, whichever name it was hidden by', async () => {
    const source = join(dir, 'install');
    const covered = [join(dir, 'by-link'), join(dir, 'install/key'), join(dir, 'not-there')];
    const { stdout } = await said(
      covered,
      [{ source, target: '/opt/install', mode: 'ro' }],
      'cd /opt/install; ls -A tasks; cat key; cat readme; touch tasks/x 2>/dev/null && echo wrote',
    );
    expect(stdout).toBe('hello');
  });

  it('refuses to mount a path in a hidden directory, also through a link', async () => {
    symlinkSync(join(dir, 'install/tasks/sealed'), join(scratch, 'innocent'));
    const { end } = await said(
      [join(dir, 'install/tasks')],
      [{ source: join(scratch, 'innocent'), target: '/x', mode: 'ro' }],
      'cat /x/answer',
    );
    expect(end).toMatchObject({ kind: 'not_run', detail: expect.stringContaining('no command may see') });
  });

  it('shows a directory full of links, and one of the links that is asked for by itself', async () => {
    symlinkSync(join(dir, 'install/readme'), join(dir, 'install/tasks/link'));
    const inPlace = (path: string): Mount => ({ source: path, target: path, mode: 'ro' });
    const mounts = ['install', 'install/tasks', 'install/tasks/link'].map((path) => inPlace(join(dir, path)));
    const { stdout } = await said([], mounts, `cat ${join(dir, 'install/tasks/link')}`);
    expect(stdout).toBe('hello');
  });

  it('refuses to mount a whole home directory', async () => {
    const readOnly = [{ source: '/root', target: '/root', mode: 'ro' } as const];
    await expect(openConfinement({ kind: 'bubblewrap', scratch, readOnly })).rejects.toThrow(/home directory/);
  });

  it('names the command that installs bubblewrap if it is missing', async () => {
    await expect(openConfinement({ kind: 'bubblewrap', scratch, path: dir })).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringMatching(/bubblewrap is not installed: (run: .*(install|-S|add)|install the package)/),
    });
  });

  it('changes the owner of a tree without following links out of it', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can give files away');
    const confinement = await openConfinement({ kind: 'bubblewrap', scratch });
    const tree = join(scratch, 'tree');
    mkdirSync(join(tree, 'sub'), { recursive: true });
    symlinkSync(join(dir, 'install/key'), join(tree, 'sub/link'));
    symlinkSync(join(dir, 'install'), join(tree, 'sub/folder'));
    confinement.give(tree);
    expect(lstatSync(join(tree, 'sub/link')).uid).toBeGreaterThan(0);
    expect(lstatSync(join(dir, 'install/key')).uid).toBe(0);
    expect(lstatSync(join(dir, 'install/readme')).uid).toBe(0);
  });
});
