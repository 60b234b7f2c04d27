import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';

vi.setConfig({ testTimeout: 60_000 });

const isRoot = process.getuid?.() === 0;
let closed: string;
let scratch: string;
beforeEach(() => {
  scratch = makeScratch();
  closed = mkdtempSync(join(tmpdir(), 'seatrial-closed-'));
  mkdirSync(join(closed, 'tool/bin'), { recursive: true });
  writeFileSync(join(closed, 'tool/bin/greet'), '#!/bin/sh\necho greetings\n');
  chmodSync(join(closed, 'tool/bin/greet'), 0o755);
  writeFileSync(join(closed, 'single file'), 'one file', { mode: 0o644 });
  chmodSync(closed, 0o700);
});
afterEach(async () => {
  rmSync(closed, { recursive: true });
  await removeScratch(scratch);
});

async function run(argv: readonly string[], timeoutMs = 20_000) {
  const show = (name: string) => ({ source: join(closed, name), target: join(closed, name), mode: 'ro' }) as const;
  const confinement = await openConfinement({
    kind: 'bubblewrap',
    scratch,
    readOnly: [show('tool'), show('single file')],
  });
  const sandboxed = confinement.start({ argv, env: {}, cwd: '/', mounts: [], limits: DEFAULT_LIMITS, timeoutMs });
  const [stdout, stderr, end] = await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
  return { stdout, stderr, end, report: confinement.describe() };
}

it('a toolchain below a directory that only its owner may enter can be used in the sandbox', async () => {
  const { stdout, report } = await run([join(closed, 'tool/bin/greet')]);
  expect(stdout).toBe('greetings\n');
  expect(report.read_only).toEqual(expect.arrayContaining([join(closed, 'single file'), join(closed, 'tool'), '/usr']));
  expect((await run(['/bin/cat', join(closed, 'single file')])).stdout).toBe('one file');
});

it('nothing is left mounted on the machine afterwards', async (context) => {
  if (!isRoot) return context.skip('only root has to stage what it shows');
  await run(['/bin/true']);
  expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(scratch);
});

it('a command started that way is unprivileged, cannot write there, and is killed completely', async () => {
  const { stdout, end } = await run(
    [
      '/bin/sh',
      '-c',
      `grep CapEff /proc/self/status; touch ${closed}/tool/x 2>/dev/null && echo wrote; setsid sleep 60 & sleep 60`,
    ],
    1000,
  );
  expect(stdout).toMatch(/^CapEff:\s+0+\n$/);
  expect(end).toMatchObject({ kind: 'timed_out' });
});
