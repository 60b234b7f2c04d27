import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { messageOf, SeatrialError } from '../kernel/errors.ts';

/**
 * Trees travel as GNU tar, sorted, with fixed owner and time: the same tree gives the same bytes, any file name, link and mode
 * survives, and everybody can open it.
 */
export async function packTree(dir: string, file: string, only?: readonly Buffer[]): Promise<void> {
  const what = only === undefined ? ['.'] : ['--no-recursion', '--null', '--verbatim-files-from', '--files-from=-'];
  const fixed = ['--format=gnu', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  await tar(['--create', `--file=${file}`, ...fixed, '-C', dir, ...what], only);
}

/** Unpacks an archive of ours into a folder, which is made. */
export async function unpackTree(file: string, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  try {
    await tar([
      '--extract',
      `--file=${file}`,
      '--no-same-owner',
      '--preserve-permissions',
      '--delay-directory-restore',
      '-C',
      dir,
    ]);
  } catch (error) {
    throw new SeatrialError('blocked', `cannot unpack ${file} into ${dir}: ${messageOf(error)}`, error);
  }
}

const NUL = Buffer.alloc(1);

function tar(args: readonly string[], names: readonly Buffer[] = []): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('tar', args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    });
    child.stdin.on('error', () => {});
    child.stdin.end(Buffer.concat(names.flatMap((name) => [name, NUL])));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 4096) said += chunk.toString('utf8');
    });
    child.on('error', (error) =>
      reject(new SeatrialError('blocked', `tar could not be started (${error.message}): install GNU tar`, error)),
    );
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(said.trim().split('\n')[0] ?? `tar ended with exit code ${code}`));
    });
  });
}
