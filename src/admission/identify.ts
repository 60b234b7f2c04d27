import { text } from 'node:stream/consumers';
import { openConfinement } from '../confine/open.ts';
import { DEFAULT_LIMITS } from '../confine/limits/limits.ts';
import { digestInstalled } from '../confine/tools/installed-program.ts';
import { showInstalled, showProgram, type ShownProgram } from '../confine/tools/show-program.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import { digestFile } from '../evidence/storage/file-tree.ts';
import { safeText } from '../evidence/report/render/text/safe-text.ts';
import { SeatrialError } from '../kernel/errors.ts';

export interface ProgramIdentity {
  readonly sha256: string;
  readonly bytes: number;
  readonly said: string;
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 1024 * 1024;
const SHOWN_LINES = 5;
const SHOWN_LETTERS = 1000;

/**
 * Digests a program and asks it to identify itself, with the arguments from its engine's definition. It is not admitted
 * yet, so it runs in a sandbox that contains nothing but itself; digest and answer are of the same copy.
 */
export async function identifyProgram(
  path: string,
  args: readonly string[],
  scratch: string,
  search: ToolSearch,
): Promise<ProgramIdentity> {
  const shown = await showProgram(path, `${scratch}/engine`, search);
  const { said } = await askIdentity(path, shown, args, scratch);
  return { ...digestFile(shown.copy), said };
}

/** The same for a program that is used where it is installed. */
export async function identifyInstalled(...question: Parameters<typeof askInstalled>): Promise<ProgramIdentity> {
  const [path, , , { cacheDir }] = question;
  const said = await askInstalled(...question);
  return { ...digestInstalled(path, cacheDir), said };
}

/** What an installed program answers, without its digest. */
export async function askInstalled(
  path: string,
  args: readonly string[],
  scratch: string,
  search: ToolSearch,
): Promise<string> {
  const { code, said } = await askIdentity(path, await showInstalled(path, search), args, scratch);
  if (code !== 0)
    throw new SeatrialError(
      'blocked',
      `${path} cannot be admitted: run with ${args.join(' ')}, it failed with exit code ${code}${said === '' ? '' : `: ${said.split('\n').slice(0, 3).join(' ')}`}`,
    );
  return said;
}

async function askIdentity(
  path: string,
  shown: Pick<ShownProgram, 'command' | 'searched' | 'mounts'>,
  args: readonly string[],
  scratch: string,
): Promise<{ readonly code: number; readonly said: string }> {
  const confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  const asked = confinement.start({
    argv: [shown.command, ...args],
    env: { PATH: [...shown.searched, '/usr/bin', '/bin'].join(':') },
    cwd: '/tmp',
    mounts: shown.mounts,
    limits: DEFAULT_LIMITS,
    timeoutMs: TIMEOUT_MS,
    outputBytes: MAX_OUTPUT,
  });
  asked.stdin.end();
  const [stdout, stderr, end] = await Promise.all([text(asked.stdout), text(asked.stderr), asked.ended]);
  if (end.kind !== 'exited')
    throw new SeatrialError('blocked', `${path} cannot be admitted: ${whyNotIdentified(end.kind, args.join(' '))}`);
  return { code: end.exitCode, said: firstLines(stdout.trim() === '' ? stderr : stdout) };
}

function whyNotIdentified(end: 'timed_out' | 'killed' | 'over_limit' | 'not_run', asked: string): string {
  switch (end) {
    case 'timed_out':
      return `run with ${asked}, it did not exit within ${TIMEOUT_MS / 1000} s`;
    case 'killed':
      return `run with ${asked}, it was killed`;
    case 'over_limit':
      return `run with ${asked}, it printed too much`;
    case 'not_run':
      return 'it does not start on this machine';
  }
}

function firstLines(said: string): string {
  const lines = safeText(said)
    .split('\n')
    .map((line) => line.trimEnd());
  return lines
    .filter((line) => line !== '')
    .slice(0, SHOWN_LINES)
    .join('\n')
    .slice(0, SHOWN_LETTERS);
}
