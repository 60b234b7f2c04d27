import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Ended } from './seatrial.ts';

const CALLS =
  'trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,bind,truncate,ftruncate,utimensat,chmod,fchmodat,mknod,mknodat';

/** System calls of a command and its children that create or change something. The command must succeed. */
export async function changesOf(
  trace: string,
  start: (through: readonly string[]) => Promise<Ended>,
): Promise<string[]> {
  const ended = await start(['strace', '-f', '-qq', '-o', trace, '-e', CALLS]);
  expect(ended.code, ended.stderr).toBe(0);
  return (
    readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => !/^\d+ +open(at)?\(/.test(line) || /O_WRONLY|O_RDWR|O_CREAT/.test(line))
      .filter((line) => line !== '' && !/"\/dev\/(null|tty|pts\/\d+)"/.test(line) && !/ (---|\+\+\+) /.test(line))
      .filter((line) => !line.includes('"/proc/self/'))
      // The flags of an interrupted call stand on its first line.
      .filter((line) => !/^\d+ +<\.\.\. open(at)? resumed>/.test(line))
  );
}
