/**
 * `npm run test:panes [-- <program>…]`: drives every installed agent program in a pane of a tmux server of its own, against a scripted model.
 * Prints a table; exits 1 if a kickoff was not taken, a crash not healed, a permission prompt or a usage limit not recognised.
 */
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIR = join(ROOT, '.build', `panes-${process.pid}`);

const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
await build({
  absWorkingDir: ROOT,
  entryPoints: ['tests/panes/main.ts'],
  outdir: DIR,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const child = spawn(process.execPath, [join(DIR, 'main.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  rmSync(DIR, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
