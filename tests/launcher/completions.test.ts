import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../support/seatrial.ts';

const RUN = '20261117T023729Z-adder-4242';
const WANTED: readonly (readonly [typed: string, offered: string])[] = [
  ['seatrial ver', 'verify'],
  ['seatrial runs ex', 'export'],
  ['seatrial run --his', '--history'],
  ['seatrial run --engine q', 'qwen'],
  ['seatrial run --confine n', 'none'],
  ['seatrial admit engine --acc', '--accept-terms'],
  ['seatrial completions fi', 'fish'],
  ['seatrial run r1-', 'r1-string-slugify'],
  ['seatrial verify 2026', RUN],
  ['seatrial help doc', 'doctor'],
];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-completions-'));
  mkdirSync(join(dir, '.seatrial/runs', RUN), { recursive: true });
  writeFileSync(join(dir, '.seatrial/runs', RUN, 'report.json'), '{}');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const printed = call([process.execPath, join(PROJECT, 'dist/seatrial.js'), 'completions', shell]);
    writeFileSync(join(dir, `script.${shell}`), printed);
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function call([program = '', ...args]: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, HOME: dir },
  });
  expect(stderr).toBe('');
  return stdout;
}

/** What each shell offers after the typed words. */
const SHELLS: Readonly<Record<string, (typed: string) => string>> = {
  bash: (typed) =>
    call([
      '/usr/bin/bash',
      '-c',
      'source ./script.bash; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _seatrial; echo "${COMPREPLY[@]}"',
      'bash',
      typed,
    ]),
  fish: (typed) => call(['/usr/bin/fish', '--no-config', '-c', `source ./script.fish; complete -C '${typed}'`]),
  // Zsh completes only where something is typed: in a terminal of its own.
  zsh: (typed) =>
    call([
      '/usr/bin/zsh',
      '-f',
      '-c',
      `zmodload zsh/zpty; zpty z 'TERM=dumb zsh -f -i'
zpty -w z 'autoload -U compinit; compinit -u -D; source ./script.zsh; print -r REA''DY'; zpty -r z seen '*READY*'
zpty -w -n z $1$'\\t'; zpty -r z seen "*$2*"; print -r -- $seen; zpty -d z`,
      'zsh',
      typed,
      (WANTED.find(([one]) => one === typed)?.[1] ?? '').slice(typed.split(' ').at(-1)?.length),
    ]).replace(/^[^]*seatrial/, 'seatrial'),
};

describe.each(Object.keys(SHELLS))('%s', (shell) => {
  it.for(WANTED)('offers after %j: %s', ([typed, offered], context) => {
    if (!existsSync(`/usr/bin/${shell}`)) return context.skip(`${shell} is not installed on this machine`);
    const said = SHELLS[shell]?.(typed) ?? '';
    expect(said.replaceAll(/[\u0007\b]/g, '')).toContain(shell === 'zsh' ? offered.replace(/^--/, '') : offered);
  });
});
