/**
 * Bundles the command line into dist/: one file, in which a command's modules are initialised only when it is called, a small one for
 * `--help` and `--version`, and next to each V8's code cache. Loading the cache instead of parsing the source saves 40 ms at every start; another version of node ignores it and
 * parses. Both are named by the digest of their content, and old ones are kept for a day so that a run that started before this
 * build is not disturbed; `--release` keeps only the files of this build. Programs that run as separate processes are bundled separately.
 */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Called one after the other before the code cache is taken. `pause` leaves a journal for `status` to read. */
const WARM_UP = [['run', 'r1-string-slugify', '--json'], ['run', 'shell-top-words'], ['pause'], ['status']];
const WARM_PROJECT = '[agents.a]\nkind = "persistent"\nbackend = "command"\ncommand = "true"\n';
const DIST = join(ROOT, 'dist');
const DAY_MS = 24 * 60 * 60 * 1000;
/** Keyed by their names in dist/. */
const PROGRAMS = {
  gateway: 'src/gateway/process/main.ts',
  'demo-agent': 'src/engines/demo/agent/main.ts',
  'pane-environment': 'src/agents/panes/ask-environment.ts',
};
/** Loaded from dist/ by the commands that talk with such an agent: bundled it would cost every start. */
const ACP_SDK = '@agentclientprotocol/sdk';
const LIBRARIES = { 'acp-sdk': `node_modules/${ACP_SDK}/dist/v1/stable/acp.js` };
/** Executables, which have no file extension. */
const COMMANDS = { ca: 'src/engines/case/simulator/main.ts' };
/** The parser and its grammars, loaded from dist/grammars/ when a command parses: bundled they would cost every start. */
const PARSER = '@vscode/tree-sitter-wasm';
const GRAMMAR_FILES = [
  'tree-sitter.js',
  'tree-sitter.wasm',
  ...['python', 'javascript', 'typescript', 'tsx', 'go', 'rust', 'cpp', 'bash'].map(
    (name) => `tree-sitter-${name}.wasm`,
  ),
];

const common = {
  absWorkingDir: ROOT,
  outdir: DIST,
  bundle: true,
  write: false,
  metafile: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
};
const programs = await build({ ...common, entryPoints: PROGRAMS }).catch(() => process.exit(1));
const libraries = await build({ ...common, entryPoints: LIBRARIES, minify: true }).catch(() => process.exit(1));
const commands = await build({
  ...common,
  entryPoints: COMMANDS,
  // Must also run where node treats a file without an extension as an ES module.
  banner: {
    js: "#!/usr/bin/env node\nvar require = typeof require === 'function' ? require : process.getBuiltinModule;",
  },
}).catch(() => process.exit(1));
const commandLine = {
  ...common,
  entryPoints: ['src/cli/main.ts'],
  // Code that is run by node:vm, as the entry does, has `require` alone.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  banner: {
    js: "(function (exports, require, module, __filename, __dirname) {\nconst bundleUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
};
const result = await build({ ...commandLine, plugins: [{ name: 'loaded-later', setup: leaveOut }] }).catch(
  () => process.exit(1), // esbuild has printed the error
);
const help = await build({ ...commandLine, external: ['./commands/*'] }).catch(() => process.exit(1));

const needsSystem = await commandsThatNeedTheSystem();

const app = bundleOf('app', result);
const short = bundleOf('help', help);
const entry = join(DIST, 'seatrial.js');
const built = new Map([
  [app.file, app.source],
  [short.file, short.source],
  ...[...programs.outputFiles, ...libraries.outputFiles].map(({ path, contents }) => [path, Buffer.from(contents)]),
  [join(DIST, 'needs-system'), Buffer.from(needsSystem)],
  [join(DIST, 'package.json'), Buffer.from('{ "type": "commonjs" }\n')],
  [
    join(DIST, 'LICENSES.txt'),
    licensesOf([
      ...[result, programs, libraries, commands].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
      `node_modules/${PARSER}/package.json`,
    ]),
  ],
  ...GRAMMAR_FILES.map((name) => [
    join(DIST, 'grammars', name),
    readFileSync(join(ROOT, 'node_modules', PARSER, 'wasm', name)),
  ]),
]);
for (const [path, contents] of built) replaceFile(path, contents, 0o644);
for (const { path, contents } of commands.outputFiles) {
  const command = path.replace(/\.js$/, '');
  replaceFile(command, contents, 0o755);
  built.set(command);
}
for (const [{ file, cache }, calls] of [
  [app, WARM_UP],
  [short, [['--help']]],
]) {
  if (!existsSync(cache)) replaceFile(cache, compiledForm(file, calls), 0o644);
  built.set(cache);
}
built.set(entry);
replaceFile(entry, Buffer.from(entryText(app.name, short.name)), 0o755);
removeOthers(process.argv.includes('--release') ? 0 : DAY_MS);

function leaveOut(bundling) {
  const later = { [PARSER]: './grammars/tree-sitter.js', [ACP_SDK]: './acp-sdk.js' };
  for (const [name, path] of Object.entries(later))
    bundling.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
}

/** For the launcher, which must know before it starts node: `<command>`, or `<command> <word>` where a word makes the difference, or
 * `<command> @<package>` where a package is needed beside the usual ones. */
async function commandsThatNeedTheSystem() {
  const bundled = await build({
    ...common,
    entryPoints: ['src/cli/commands.ts'],
    format: 'esm',
    external: ['./commands/*'],
  }).catch(() => process.exit(1));
  const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  const { COMMANDS: table } = await import(`data:text/javascript;base64,${code}`);
  const lines = [...table].flatMap(([name, { needs }]) => {
    if (needs === 'nothing') return [];
    if (needs === 'agents') return [`${name} @tmux`];
    return needs === 'system' ? [name] : needs.systemWith.map((word) => `${name} ${word}`);
  });
  return `${lines.join('\n')}\n`;
}

function bundleOf(kind, { outputFiles }) {
  const source = Buffer.from(outputFiles[0].contents);
  const strange = source.findIndex((byte) => byte > 127);
  if (strange !== -1) {
    // The entry reads the bundle as latin1. Esbuild escapes such characters in strings but not in regular expressions.
    console.error(`non-ASCII character outside of a string, near: ${source.subarray(strange - 60, strange + 20)}`);
    process.exit(1);
  }
  const digest = createHash('sha256').update(source).update(process.version).digest('hex');
  const name = `${kind}-${digest.slice(0, 12)}`;
  return { name, source, file: join(DIST, `${name}.js`), cache: join(DIST, `${name}.cache`) };
}

/** Plain JavaScript, because it runs before a bundle is loaded. */
function entryText(appName, helpName) {
  return `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const asksForHelp = [undefined, '--help', '-h', '--version', '-V'].includes(process.argv[2]);
const at = __dirname + (asksForHelp ? '/${helpName}' : '/${appName}');
let cachedData;
try {
  cachedData = readFileSync(at + '.cache');
} catch {}
const script = new Script(readFileSync(at + '.js', 'latin1'), { filename: at + '.js', cachedData });
script.runInThisContext()(exports, require, module, at + '.js', __dirname);
`;
}

/** V8's code cache. Commands that are called in a separate process and directory compile the functions that they use. */
function compiledForm(file, calls) {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-build-'));
  try {
    const warm = `
      const { readFileSync, writeFileSync } = require('node:fs');
      const script = new (require('node:vm').Script)(readFileSync(${JSON.stringify(file)}, 'latin1'), { filename: ${JSON.stringify(file)} });
      process.on('exit', () => writeFileSync(${JSON.stringify(join(dir, 'cache'))}, script.createCachedData()));
      const commands = ${JSON.stringify(calls)};
      const next = () => {
        const command = commands.shift();
        if (command === undefined) return;
        process.argv = [process.execPath, 'seatrial', ...command];
        script.runInThisContext()(exports, require, module, ${JSON.stringify(file)}, ${JSON.stringify(DIST)});
      };
      process.on('beforeExit', next);
      process.exit = () => {}; // a command ends the process
      next();`;
    writeFileSync(join(dir, 'warm.cjs'), warm);
    writeFileSync(join(dir, 'agents.toml'), `session_prefix = "warm-up-"\n${WARM_PROJECT}`);
    const env = { PATH: process.env.PATH, HOME: dir, SEATRIAL_TMUX_SOCKET: join(dir, 'tmux') };
    // The verdict does not matter: without bubblewrap the run is blocked, and the cache contains less.
    spawnSync(process.execPath, [join(dir, 'warm.cjs')], { cwd: dir, env, stdio: 'ignore', timeout: 60_000 });
    return readFileSync(join(dir, 'cache'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Atomic: readers see the old file or the new one. */
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

/** The licences of the bundled packages require their text to be included. */
function licensesOf(inputs) {
  const dirs = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const texts = Array.from(dirs, (dir) => {
    const name = readdirSync(join(ROOT, dir)).find((file) => /^licen[cs]e/i.test(file));
    if (name === undefined) throw new Error(`${dir} is bundled but has no licence text`);
    return `${relative('node_modules', dir)}\n\n${readFileSync(join(ROOT, dir, name), 'utf8').trim()}\n`;
  });
  return Buffer.from(texts.join(`\n${'-'.repeat(80)}\n\n`));
}
