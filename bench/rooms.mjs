/**
 * `node bench/rooms.mjs [--list]` counts how often one `seatrial run r1-string-slugify` moves from one room of src/ to another. Every
 * function of src/ is instrumented to report its file on entry; a change is counted when the next function is in another top
 * directory. Leaf files, which import nothing else of src/, are not counted: a reader looks them up without leaving the room.
 * Exits with 1 if there are more than MAX_ROOM_CHANGES.
 */
import { parseSync } from '@swc/core';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_ROOM_CHANGES = 120;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'seatrial-rooms-'));
try {
  const visits = trace(await buildTraced());
  const rooms = visits.map((file) => file.split('/')[1]);
  const changes = (list) => list.filter((one, index) => index > 0 && one !== list[index - 1]).length;
  if (process.argv.includes('--list'))
    for (const [index, file] of visits.entries()) if (file !== visits[index - 1]) console.log(file);
  console.log(`${new Set(visits).size} files, ${changes(visits)} changes of file, ${changes(rooms)} changes of room`);
  process.exitCode = changes(rooms) <= MAX_ROOM_CHANGES ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Bundles the command line into one file, with every function of src/ instrumented. */
async function buildTraced() {
  const outfile = join(scratch, 'traced.cjs');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    define: { 'import.meta.url': 'bundleUrl' },
    banner: {
      js: `const bundleUrl = require('node:url').pathToFileURL(${JSON.stringify(join(ROOT, 'dist/seatrial.js'))}).href;
const visits = [];
globalThis.enterFile = (file) => visits.push(file);
process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(join(scratch, 'visits.json'))}, JSON.stringify(visits)));`,
    },
    logLevel: 'error',
    plugins: [
      {
        name: 'trace-files',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
            contents: instrument(readFileSync(path, 'utf8'), relative(ROOT, path)),
            loader: 'ts',
          })),
      },
    ],
  });
  return outfile;
}

function instrument(source, file) {
  if (!/^import (?!type\b)[^;]*from '\.\.?\//m.test(source)) return source;
  const program = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  const bytes = Buffer.from(source);
  const starts = [];
  visit(program, (node) => {
    const isFunction =
      /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|PrivateMethod)$/.test(node.type);
    const body = isFunction ? (node.body ?? node.function?.body) : null;
    if (body?.type === 'BlockStatement' || body?.type === 'FunctionBody')
      starts.push(body.span.start - program.span.start);
  });
  // Span offsets are relative to the parser's session, and start at the first token, after any leading comments.
  const shift = bytes.length - Buffer.from(source.trimStart()).length;
  const call = Buffer.from(`enterFile(${JSON.stringify(file)});`);
  let text = bytes;
  for (const start of starts.toSorted((a, b) => b - a)) {
    const at = text.indexOf('{', start + shift + firstTokenAt(source)) + 1;
    text = Buffer.concat([text.subarray(0, at), call, text.subarray(at)]);
  }
  return text.toString('utf8');
}

/** The offset of the first statement, because leading comments are not part of the program's span. */
function firstTokenAt(source) {
  const [leading] = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*/.exec(source.trimStart()) ?? [''];
  return Buffer.byteLength(leading);
}

function visit(node, each) {
  if (Array.isArray(node)) for (const one of node) visit(one, each);
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') each(node);
    for (const value of Object.values(node)) visit(value, each);
  }
}

/** The files that one run enters, in order of entry. */
function trace(program) {
  const home = join(scratch, 'home');
  mkdirSync(home);
  const { XDG_CONFIG_HOME: _config, XDG_CACHE_HOME: _cache, ...env } = process.env;
  const run = spawnSync(process.execPath, [program, 'run', 'r1-string-slugify'], {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...env, HOME: home },
  });
  if (run.status !== 0) throw new Error(`the traced run exited with ${run.status}:\n${run.stdout}${run.stderr}`);
  return JSON.parse(readFileSync(join(scratch, 'visits.json'), 'utf8'));
}
