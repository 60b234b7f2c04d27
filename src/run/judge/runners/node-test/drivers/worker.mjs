/**
 * The sandbox of the code under test: answers what the tests ask, and knows nothing of tests or verdicts.
 * `{type}` asks for the module type of a directory's package, `{file}` loads and describes a module, `{file, path, args}`
 * calls. Files are named from the workspace.
 */
import { readFileSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import plainValues from './plain-values.cjs';

const { encode, decode } = plainValues;
/** The descriptor can be named by an argument, which may also say that the code is started from a home. */
const NAMED = process.argv.length > 2 ? process.argv.pop() : '3';
const WIRE = Number.parseInt(NAMED, 10);
const LONGEST_LINE = 8 * 1024 * 1024;
const DEEPEST = 4;
const WORKSPACE = process.cwd();
const require = createRequire(join(WORKSPACE, 'worker.js'));
const BUILT_IN = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
const loaded = new Map();
if (NAMED.endsWith('~')) {
  process.chdir(homedir());
  process.env.PWD = homedir();
}

function packageType(dir) {
  try {
    return { type: JSON.parse(readFileSync(join(WORKSPACE, dir, 'package.json'), 'utf8')).type };
  } catch {
    return {};
  }
}

function shapeOf(value, depth = 0) {
  const isFunction = typeof value === 'function';
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isFunction && !(isObject && depth < DEEPEST && holdsFunction(value))) {
    try {
      return { v: encode(value) };
    } catch {
      return undefined;
    }
  }
  const members = Object.keys(value).map((name) => [name, shapeOf(value[name], depth + 1)]);
  const o = Object.fromEntries(members.filter(([, shape]) => shape !== undefined));
  return isFunction ? { f: 1, o } : { o };
}

function holdsFunction(value) {
  return Object.values(value).some(
    (member) =>
      typeof member === 'function' || (typeof member === 'object' && member !== null && !Array.isArray(member)),
  );
}

function resolveFile(file) {
  try {
    return require.resolve(join(WORKSPACE, file));
  } catch {
    return null;
  }
}

async function load(wanted) {
  const found = resolveFile(wanted);
  if (found === null) return {};
  const file = relative(WORKSPACE, found);
  try {
    if (found.endsWith('.json')) return { file, shapes: { default: JSON.parse(readFileSync(found, 'utf8')) } };
    const exports = loadAtOnce(found) ?? (await import(pathToFileURL(found).href));
    loaded.set(file, exports);
    const names = Object.keys(exports).filter((name) => name !== '__esModule');
    const shapes = names.map((name) => [name, shapeOf(exports[name])]);
    return {
      file,
      format: types.isModuleNamespaceObject(exports) ? 'module' : 'commonjs',
      shapes: Object.fromEntries(shapes.filter(([, shape]) => shape !== undefined)),
    };
  } catch (error) {
    return { file, format: found.endsWith('.cjs') ? 'commonjs' : 'module', error: refusal(error) };
  }
}

/**
 * Loads a module without a turn of the event loop, as programs load what they call in the next line. Null: it awaits something while it
 * loads, or this Node.js loads such modules in no other way.
 */
function loadAtOnce(file) {
  let value;
  try {
    value = require(file);
  } catch (error) {
    if (/^ERR_REQUIRE_(?:ESM|ASYNC_MODULE|CYCLE_MODULE)$/.test(error?.code ?? '')) return null;
    throw error;
  }
  if (types.isModuleNamespaceObject(value)) return value;
  const hasMembers = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return { ...(hasMembers ? value : {}), default: value };
}

async function call({ file, path, args }) {
  let owner;
  let member = loaded.get(file);
  for (const name of path) {
    owner = member;
    member = member[name];
  }
  let p = 0;
  try {
    let value = Reflect.apply(
      member,
      path.length > 1 ? owner : undefined,
      args.map((arg) => decode(arg)),
    );
    if (typeof value?.then === 'function') {
      p = 1;
      value = await value;
    }
    return { p, v: encode(value) };
  } catch (error) {
    return { p, ...refusal(error) };
  }
}

function refusal(error) {
  if (!(error instanceof Error)) return { e: 'Error', t: `thrown: ${String(error)}` };
  const kind = BUILT_IN.find((known) => error instanceof known) ?? Error;
  const code = typeof error.code === 'string' ? { c: error.code } : {};
  return { e: kind.name, t: String(error.message), ...code };
}

async function answer(request) {
  if ('type' in request) return packageType(request.type);
  return 'path' in request ? call(request) : load(request.file);
}

async function replyTo(line) {
  let text;
  try {
    text = JSON.stringify(await answer(JSON.parse(line)));
  } catch (error) {
    text = JSON.stringify(refusal(error));
  }
  const tooLong = Buffer.byteLength(text) >= LONGEST_LINE;
  return Buffer.from(
    `${tooLong ? JSON.stringify({ e: 'RangeError', t: 'black box: the value is too large to pass' }) : text}\n`,
  );
}

const chunk = Buffer.alloc(65536);
let pending = Buffer.alloc(0);
for (;;) {
  const end = pending.indexOf(10);
  if (end < 0) {
    const size = readSync(WIRE, chunk);
    if (size === 0) break;
    pending = Buffer.concat([pending, chunk.subarray(0, size)]);
    continue;
  }
  const line = pending.toString('utf8', 0, end);
  pending = pending.subarray(end + 1);
  const reply = await replyTo(line);
  for (let sent = 0; sent < reply.length;) sent += writeSync(WIRE, reply, sent);
}
process.exit(0);
