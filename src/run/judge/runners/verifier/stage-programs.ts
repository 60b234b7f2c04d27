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
 * is seen inside; `python`: the interpreter, as seen inside; null: there is none.
 */
export function stageFamilyPrograms(dir: string, seenAs: string, python: string | null, image: ImageTerms): void {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  if (python === null) return writeProgram(join(dir, 'verify'), verifyScript(image));
  for (const name of DRIVERS)
    copyFileSync(join(packageRoot(), 'src/run/judge/runners/verifier/drivers', name), join(dir, name));
  const settings = { reads: image.verifier.reads, logs: '/logs/verifier', ...image.installed };
  writeFileSync(join(dir, 'settings.json'), JSON.stringify(settings), { mode: 0o644 });
  for (const name of [...PROGRAMS, 'verify']) {
    const call = `"$python" -I -B ${seenAs}/verify.py ${basename(name)} "$@"`;
    const find = `python=${python}\n[ -x "$python" ] || python=/usr/bin/python3`;
    writeProgram(join(dir, name), `#!/bin/sh\n${find}\nexec ${call}\n`);
  }
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** Runs the verifier script in an image without Python. Installers are not answered there. */
function verifyScript({ verifier }: ImageTerms): string {
  return `#!/bin/sh
read -r first <"$1" || :
case $first in '#!'*) ;; *) first='#!sh' ;; esac
# Word by word: an interpreter may have an argument.
\${first#'#!'} "$@" </dev/null
code=$?
${verifier.reads === 'reward' ? READ_REWARD : 'exit $code'}
`;
}

const READ_REWARD = `reward=
[ ! -f /logs/verifier/reward.txt ] || read -r reward </logs/verifier/reward.txt || :
echo "seatrial: the script exited with $code; its reward is \${reward:-unknown}" >&2
case $reward in 1 | 1.* | [1-9][0-9]* | [2-9]*) exit 0 ;; esac
exit 1`;
