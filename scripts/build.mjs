/**
 * Bundles the command line into dist/. Every dynamic import becomes a file of its own, so that `seatrial --help` loads
 * the command table and nothing else.
 *
 * Files other than the entry carry their content's digest in their name and are left for a day: a run that started before this
 * build still finds the parts it has not loaded yet. `--release` keeps this build's files alone.
 */
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const DAY_MS = 24 * 60 * 60 * 1000;
const BUILTIN = new RegExp(`^(node:.*|${builtinModules.join('|')})$`);

/** Bundled CommonJS packages ask for node's modules by `require`, which an ES module does not have. */
const builtinsWithoutRequire = {
  name: 'builtins-without-require',
  setup(esbuild) {
    esbuild.onResolve({ filter: BUILTIN }, (found) =>
      found.kind === 'require-call' ? { path: found.path, namespace: 'builtin' } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, (found) => ({
      contents: `module.exports = process.getBuiltinModule('${found.path}');`,
    }));
  },
};

const result = await build({
  absWorkingDir: ROOT,
  entryPoints: { seatrial: 'src/cli/main.ts' },
  outdir: DIST,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: 'parts/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [builtinsWithoutRequire],
}).catch(() => process.exit(1)); // esbuild has said what is wrong

const built = new Map(result.outputFiles.map((file) => [file.path, Buffer.from(file.contents)]));
built.set(join(DIST, 'LICENSES.txt'), licensesOf(Object.keys(result.metafile.inputs)));
const entry = join(DIST, 'seatrial.js');
built.set(entry, Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), built.get(entry)]));

for (const [path, contents] of built) if (path !== entry) replaceFile(path, contents, 0o644);
replaceFile(entry, built.get(entry), 0o755);
removeOthers(process.argv.includes('--release') ? 0 : DAY_MS);

/** Readers see the old file or the new one, never a half. */
function replaceFile(path, contents, mode) {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, contents, { mode });
  renameSync(unfinished, path);
}

function removeOthers(olderThanMs) {
  const before = Date.now() - olderThanMs;
  for (const name of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile() && !built.has(path) && statSync(path).mtimeMs <= before) rmSync(path);
  }
}

/** The bundled packages' licences ask that their text goes where their code goes. */
function licensesOf(inputs) {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const texts = Array.from(folders, (folder) => {
    const name = readdirSync(join(ROOT, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (name === undefined) throw new Error(`${folder} is bundled but has no licence text`);
    return `${relative('node_modules', folder)}\n\n${readFileSync(join(ROOT, folder, name), 'utf8').trim()}\n`;
  });
  return Buffer.from(texts.join(`\n${'-'.repeat(80)}\n\n`));
}
