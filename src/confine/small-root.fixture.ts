import { copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToolNow } from './processes/spawn.ts';
import { findProgram } from './tools/find-program.ts';

const PATH = '/usr/bin:/bin';

/** The root of a system that has these programs of the machine, what they need to start, and nothing else. */
export function makeSmallRoot(root: string, programs: readonly string[]): void {
  for (const dir of ['usr/bin', 'etc', 'tmp']) mkdirSync(join(root, dir), { recursive: true });
  symlinkSync('usr/bin', join(root, 'bin'));
  for (const name of ['passwd', 'group', 'gitconfig', 'hosts']) writeFileSync(join(root, 'etc', name), '');
  for (const name of programs) {
    const program = findProgram(name, PATH);
    if (program === null) throw new Error(`${name} is not on this machine`);
    copyFileSync(realpathSync(program), join(root, 'usr/bin', name));
    for (const [path] of runToolNow('ldd', [program]).stdout.matchAll(/\/\S+/g)) copyOnce(path, join(root, path));
  }
}

function copyOnce(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(realpathSync(from), to);
}
