import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { Clone, type Ended } from '../support/clone.ts';

const COMMANDS = ['bwrap', 'socat', 'git'];
const AS_ROOT = process.getuid?.() === 0;

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
  // Whoever runs these tests, what would need root is only written down.
  clone.program('sudo', 'if [[ $1 == -n ]]; then shift; else echo "asks for a password" >&2; fi\nexec "$@"');
  clone.run(['--help']);
});
afterEach(() => clone.remove());

/** A package manager that writes down what it was asked, and "installs" the commands. */
function packageManager(name: string, installs: readonly string[] = COMMANDS): void {
  const install = installs.map((command) => `ln -sf cat "${join(clone.bin, command)}"`).join('\n');
  clone.program(name, `echo ${name} "$@" >>"${asked()}"\n[[ $1 == update ]] && exit\n${install}`);
}
const asked = () => join(clone.home, 'asked');
const wasAsked = () => (existsSync(asked()) ? readFileSync(asked(), 'utf8') : '');
const reachedTheProgram = (ended: Ended) => ended.code === 7 && ended.stdout !== '';

describe('system packages, without a terminal', () => {
  it.each([
    ['apt-get', 'apt-get update -q\napt-get install -y -q --no-install-recommends bubblewrap socat git\n'],
    ['dnf', 'dnf install -y bubblewrap socat git\n'],
    ['pacman', 'pacman -Sy --needed --noconfirm bubblewrap socat git\n'],
    ['apk', 'apk add bubblewrap socat git\n'],
    ['zypper', 'zypper --non-interactive install bubblewrap socat git\n'],
  ])('are installed by %s, once', (manager, expected) => {
    packageManager(manager);
    const first = clone.run(['run', 'r1-string-slugify', '--json']);
    expect(first.stderr).toBe('seatrial: installing system packages: bubblewrap socat git\n');
    expect(reachedTheProgram(first)).toBe(true);
    expect(wasAsked()).toBe(expected);
    expect(clone.run(['run']).stderr).toBe('');
    expect(wasAsked()).toBe(expected);
  });

  it('are installed for every command that opens a sandbox', { tags: ['long'] }, () => {
    packageManager('apk');
    const commands = [
      ['judge'],
      ['matrix'],
      ['check', 'case-stage2'],
      ['health', '--json'],
      ['loop', 'case-qwen'],
      ['task', 'check', 'x'],
      ['admit', 'executable', '/usr/bin/ca'],
      ['verify', '--rerun', 'x'],
      ['compare', '--engines=fake'],
    ];
    for (const args of commands) {
      expect([args, reachedTheProgram(clone.run(args)), wasAsked()]).toEqual([
        args,
        true,
        'apk add bubblewrap socat git\n',
      ]);
      for (const command of COMMANDS) clone.without(command);
      rmSync(asked());
    }
  });

  it('are installed again when one was removed, and only that one', { tags: ['long'] }, () => {
    packageManager('dnf');
    clone.run(['judge']);
    clone.without('socat');
    expect(reachedTheProgram(clone.run(['verify', 'x', '--rerun']))).toBe(true);
    expect(wasAsked()).toMatch(/\ndnf install -y socat\n$/);
  });

  it('have the name that the machine gives to pytest', (ctx) => {
    const hidden = ['--dev-bind', '/', '/', '--bind', '/dev/null', '/usr/bin/python3', '--', clone.launcher, 'run'];
    const works = spawnSync('bwrap', [...hidden.slice(0, 7), 'true'], { encoding: 'utf8' });
    if (works.status !== 0) ctx.skip(`python cannot be hidden from the launcher here: ${works.stderr.trim()}`);
    const bwrap = spawnSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim();
    for (const [manager, name] of [
      ['apk', 'py3-pytest'],
      ['pacman', 'python-pytest'],
      ['dnf', 'python3-pytest'],
    ] as const) {
      packageManager(manager);
      const ended = spawnSync(bwrap, hidden, { env: clone.environment(), encoding: 'utf8' });
      expect(ended.status).toBe(2);
      expect(ended.stderr).toContain('seatrial: still missing: python3-pytest; install them with: ');
      expect(wasAsked()).toMatch(new RegExp(`^${manager} .* ${name}$`, 'm'));
      clone.without(manager);
    }
  });

  it('are not touched for commands that start nothing', () => {
    packageManager('apt-get');
    for (const command of [
      ['--help'],
      ['--version'],
      ['verify', 'x'],
      ['runs'],
      ['task', 'list'],
      ['run', '--help'],
      ['health', '-h'],
      ['help', 'run'],
      ['admit', 'model'],
      ['engines'],
      [],
    ]) {
      expect(reachedTheProgram(clone.run(command))).toBe(true);
    }
    expect(wasAsked()).toBe('');
  });
});

describe('system packages that cannot be installed', () => {
  it('are named when there is no package manager', () => {
    const ended = clone.run(['matrix']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(
      'seatrial: these system packages are missing and no known package manager was found: ' +
        "bubblewrap socat git (Debian's names)\n",
    );
  });

  it.each([
    ['fails', 'exit 100', 'installing system packages failed; run: '],
    ['leaves one out', 'exit 0', 'still missing: bubblewrap socat git; install them with: '],
  ])('give the exact command when the package manager %s', (_, script, sentence) => {
    clone.program('dnf', script);
    const ended = clone.run(['task', 'check', 'x']);
    const line = 'dnf install -y bubblewrap socat git';
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(`seatrial: ${sentence}${AS_ROOT ? line : `sudo sh -c '${line}'`}\n`);
  });

  it('are only named, with the command to install them, under SEATRIAL_SETUP=no', () => {
    packageManager('dnf');
    const ended = clone.run(['run', 'x'], { env: { SEATRIAL_SETUP: 'no' } });
    const line = 'dnf install -y bubblewrap socat git';
    expect([ended.code, ended.stdout, wasAsked()]).toEqual([2, '', '']);
    expect(ended.stderr).toBe(
      'seatrial: system packages are missing (bubblewrap socat git) and SEATRIAL_SETUP=no forbids installing them; ' +
        `run: ${AS_ROOT ? line : `sudo sh -c '${line}'`}\n`,
    );
    expect(reachedTheProgram(clone.run(['runs'], { env: { SEATRIAL_SETUP: 'no' } }))).toBe(true);
  });

  it('give the command for root when there is no sudo', (ctx) => {
    const uid = plainUser(ctx);
    clone.giveTo(uid);
    clone.without('sudo');
    packageManager('dnf');
    const ended = clone.run(['run'], { uid });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toBe(
      'seatrial: system packages are missing; as root, run: dnf install -y bubblewrap socat git\n',
    );
  });

  it('are not waited for when sudo wants a password and nobody can type it', (ctx) => {
    const uid = plainUser(ctx);
    clone.giveTo(uid);
    clone.program('sudo', '[[ $1 == -n ]] && echo "sudo: a password is required" >&2\nexit 1');
    packageManager('dnf');
    const ended = clone.run(['run'], { uid });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('sudo: a password is required\n');
    expect(ended.stderr).toContain("run: sudo sh -c 'dnf install -y bubblewrap socat git'\n");
    expect(wasAsked()).toBe('');
  });

  /** Somebody who is not root and can start node; root gives up his rights for it. */
  function plainUser(ctx: TestContext): number {
    const own = process.getuid?.();
    if (own !== undefined && own !== 0) return own;
    const nobody = 65_534;
    const starts = spawnSync(process.execPath, ['-e', '0'], { uid: nobody, cwd: '/' });
    if (starts.status !== 0) ctx.skip(`a plain user cannot start ${process.execPath}`);
    return nobody;
  }
});

describe('system packages, on a terminal', () => {
  /** Runs the launcher on a terminal of its own and types the answer when asked. */
  function typing(answer: string): Ended {
    const script = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], [sys.argv[1], "run"])
seen = b""
while b"[Y/n] " not in seen: seen += os.read(terminal, 4096)
os.write(terminal, sys.argv[2].encode())
try:
  while data := os.read(terminal, 4096): seen += data
except OSError: pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
    const ended = spawnSync('/usr/bin/python3', ['-c', script, clone.launcher, answer], {
      env: clone.environment(),
      encoding: 'utf8',
    });
    return { code: ended.status, stdout: ended.stdout.replaceAll('\r\n', '\n'), stderr: ended.stderr };
  }

  it('are installed after a yes, or after Enter', { tags: ['long'] }, () => {
    for (const answer of ['y\n', '\n']) {
      packageManager('apk');
      const ended = typing(answer);
      expect(ended.stdout).toContain('these system packages are missing: bubblewrap socat git\n');
      expect(ended.code).toBe(7);
      expect(wasAsked()).toMatch(/apk add bubblewrap socat git\n$/);
      for (const command of COMMANDS) clone.without(command);
    }
  });

  it('are left alone after a no, or when the terminal is closed', () => {
    packageManager('apk');
    for (const answer of ['n\n', '\u0004']) {
      const ended = typing(answer);
      expect(ended.stdout).toContain('seatrial: nothing was installed; to continue, run: ');
      expect(ended.code).toBe(2);
    }
    expect(wasAsked()).toBe('');
  });
});
