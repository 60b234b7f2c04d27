import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SeatrialError } from '../../kernel/errors.ts';
import { git, GitFault } from './call.ts';

it('a git that blocks on a pipe is killed, and the error says so', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-git-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  const waiting = git(['hash-object', '--no-filters', join(dir, 'pipe')], { timeoutMs: 100 });
  await expect(waiting).rejects.toThrow(GitFault);
  await expect(waiting).rejects.toThrow('git hash-object failed: it did not end within 0.1 s');
});

it('a failure of git is one readable sentence that quotes git', async () => {
  await expect(git(['rev-parse', '--verify', 'HEAD'], { cwd: '/' })).rejects.toSatisfy(
    (error) => error instanceof SeatrialError && /^git rev-parse failed: fatal: [^\n]+$/.test(error.message),
  );
});
