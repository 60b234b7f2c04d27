import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { git, GitFault } from './git.ts';

it('a git that waits on a pipe is ended, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seatrial-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const waiting = git(['hash-object', '--no-filters', join(folder, 'pipe')], { timeoutMs: 100 });
  await expect(waiting).rejects.toThrow(GitFault);
  await expect(waiting).rejects.toThrow('git hash-object failed: it did not end within 0.1 s');
});
