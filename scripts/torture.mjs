/**
 * `npm run torture [-- --kills N --only ROW --seed S --jobs J --quiet]`: disrupts runs at every step (kills, full disks, directories made read-only)
 * and checks what is left. Prints a table; exits 1 if anything was lost, left running or falsely passed.
 * `npm run torture -- land [--scenes N --seed S --jobs J --seconds T --quiet]`: lands runs from several processes at once, among commits
 * of others and kills at random moments, and checks every commit of every branch.
 * `npm run torture -- agents [--kills N --seed S --jobs J --quiet]`: kills the watchdog, the tmux server, everything or `up` itself at
 * random moments while agents go through phases, and checks that each phase ended once and that no work is lost.
 * As root it uses a private mount namespace, so that its small test disks disappear however it ends.
 */
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIR = join(ROOT, '.build', `torture-${process.pid}`);
const PROGRAM = join(DIR, 'main.mjs');

const ENTRIES = {
  land: ['tests/torture/landing/main.ts', 'tests/torture/landing/lander.ts'],
  agents: ['tests/torture/agents/main.ts'],
};
await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES[process.argv[2]] ?? ['tests/torture/main.ts'],
  outdir: DIR,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const apart = process.getuid() === 0 ? ['unshare', '--mount', '--propagation', 'private', '--'] : [];
const [file, ...args] = [...apart, process.execPath, PROGRAM, ...process.argv.slice(2)];
const child = spawn(file, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  rmSync(DIR, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
