import { spawn } from 'node:child_process';
import { createReadStream, mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { SeatrialError } from '../kernel/errors.ts';

/**
 * Trees travel as GNU tar, sorted, with fixed owner and time: the same tree gives the same bytes, any file name, link and mode
 * survives, and everybody can open it.
 */
export async function packTree(dir: string, file: string): Promise<void> {
  await tar(['--create', `--file=${file}`, '--format=gnu', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '-C', dir, '.']);
}

/** Unpacks an archive of ours into a folder, which is made. */
export async function unpackTree(file: string, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  await tar(['--extract', `--file=${file}`, '--no-same-owner', '--preserve-permissions', '--delay-directory-restore', '-C', dir]);
}

export async function digestFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return { sha256: hash.digest('hex'), bytes: (await stat(file)).size };
}

function tar(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 4096) said += chunk.toString('utf8');
    });
    child.on('error', (error) => reject(new SeatrialError('blocked', `tar could not be started (${error.message}): install GNU tar`, error)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new SeatrialError('evidence', `tar failed: ${said.trim().split('\n')[0] ?? `exit code ${code}`}`));
    });
  });
}
