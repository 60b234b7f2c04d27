import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GROUND = join(ROOT, '.build', 'bench');

/** The same minimal environment for both sides: the given directories, the system's programs, and a separate home. */
function environment(home, path) {
  return { PATH: [...path, '/usr/bin', '/bin'].join(delimiter), HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
}

/** A Seatrial command with its runs and keys in a directory of the benchmark. */
export function seatrialIn(name, ...args) {
  const cwd = join(GROUND, name);
  const home = join(cwd, 'home');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(cwd, 'seatrial.toml'), 'runs = "runs"\n');
  return { argv: [process.execPath, join(ROOT, 'dist', 'seatrial.js'), ...args], cwd, env: environment(home, []) };
}

/** Removes the runs of earlier calls. */
export function clear(name) {
  rmSync(join(GROUND, name), { recursive: true, force: true });
}

/** Creates a repository with this many distinct files, fifty per directory, of this total size. */
export function repository(name, files, megabytes) {
  const dir = join(GROUND, 'repositories', name);
  rmSync(dir, { recursive: true, force: true });
  const bytes = Math.floor((megabytes * 2 ** 20) / files);
  for (let n = 0; n < files; n += 1) {
    const partDir = join(dir, `part-${Math.floor(n / 50)}`);
    if (n % 50 === 0) mkdirSync(partDir, { recursive: true });
    writeFileSync(join(partDir, `file-${n}.txt`), `file ${n}\n`.repeat(Math.ceil(bytes / 10)).slice(0, bytes));
  }
  writeFileSync(join(dir, 'test.sh'), 'grep -q yes answer\n');
  writeFileSync(join(dir, 'answer'), 'no\n');
  return commit(dir);
}

/** Creates a repository with these files. */
export function committed(name, files) {
  const dir = join(GROUND, 'repositories', name);
  rmSync(dir, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return commit(dir);
}

function commit(dir) {
  const { env } = plain();
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...who, 'commit', '--quiet', '-m', 'Files'],
  ])
    execFileSync('git', args, { cwd: dir, env });
  return dir;
}

/** The number of bundles in a benchmark's directory. */
export function bundlesIn(name) {
  const runs = join(GROUND, name, 'runs');
  mkdirSync(runs, { recursive: true });
  return readdirSync(runs).filter((entry) => /^\d{8}T\d{6}Z-/.test(entry)).length;
}

/** The bare script on a task. The `subject`, `ok` and `not_ok` commands of shell tests are minimal versions. */
export function bare(task, ...testCommand) {
  return {
    argv: [join(ROOT, 'bench', 'bare', 'run.sh'), task, ...testCommand],
    cwd: ROOT,
    env: environment(ROOT, [join(ROOT, 'bench', 'bare', 'bin')]),
  };
}

/** Runs the bare script repeatedly, two at a time. */
export function bareRepeated(times, task, ...testCommand) {
  const { argv, cwd, env } = bare(task, ...testCommand);
  const quoted = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return { argv: ['sh', '-c', `seq ${times} | xargs -P2 -I{} ${quoted}`], cwd, env };
}

/** Any other command, in the same environment. */
export function plain(...argv) {
  return { argv, cwd: ROOT, env: environment(ROOT, []) };
}
