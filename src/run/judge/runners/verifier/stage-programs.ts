import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../../../kernel/package-root.ts';
import type { ImageTerms } from '../../../../task/image/terms.ts';

const DRIVERS = ['verify.py', 'verifier_pytest.py', 'empty.ini'];
/** Programs that scripts of the family call, each answered by verify.py. */
const PROGRAMS = [
  'pytest',
  'py.test',
  'pip',
  'pip3',
  'apt-get',
  'apt',
  'curl',
  'wget',
  'uv',
  'uvx',
  'python',
  'python3',
];

/**
 * Lays programs into a directory that go before those of the machine while a script of the family runs. `seenAs`: where that directory
 * is seen inside; `python`: the interpreter, as seen inside.
 */
export function stageFamilyPrograms(dir: string, seenAs: string, python: string, image: ImageTerms): void {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  for (const name of DRIVERS)
    copyFileSync(join(packageRoot(), 'src/run/judge/runners/verifier/drivers', name), join(dir, name));
  const settings = { reads: image.verifier.reads, logs: '/logs/verifier', ...image.installed };
  writeFileSync(join(dir, 'settings.json'), JSON.stringify(settings), { mode: 0o644 });
  for (const name of [...PROGRAMS, 'verify']) {
    const path = join(dir, name);
    const call = `"$python" -I -B ${seenAs}/verify.py ${basename(name)} "$@"`;
    writeFileSync(path, `#!/bin/sh\npython=${python}\n[ -x "$python" ] || python=/usr/bin/python3\nexec ${call}\n`);
    chmodSync(path, 0o755);
  }
}
