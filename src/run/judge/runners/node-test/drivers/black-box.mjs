/**
 * Runs sealed tests without the code under test: stub modules stand where the tests import from, each asking the
 * other sandbox. Stubs are plain files, written before the first test is loaded: no loader hook, no second thread.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import channel from '../../shared/node/drivers/channel.cjs';
import { course, end } from './reporter.mjs';
import plainValues from './plain-values.cjs';
import wire from './wire.cjs';

const { plan } = channel;
const TESTS_NAME = basename(plan.tests);
const WIRE = JSON.stringify(fileURLToPath(new URL('./wire.cjs', import.meta.url)));
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*)(["'`])([^"'`\n]+)\1/g;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

// Where no test was ever registered, no reporter speaks the last word.
process.on('exit', () => end(false));
wire.whenGone(() => {
  course.gone = true;
});

function specifiersOf(file) {
  const wanted = [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map((match) => match[2]);
  return wanted.flatMap((specifier) => {
    if (specifier.startsWith('file:')) return [fileURLToPath(specifier)];
    return /^(?:\.{1,2}$|\.{0,2}\/)/.test(specifier) ? [resolve(dirname(file), specifier)] : [];
  });
}

function isOutside(path) {
  return !`${path}/`.startsWith(`${plan.workspace}/`) || path === plan.tests || path.startsWith(`${plan.tests}/`);
}

function stubText(file, format, shapes) {
  const own = JSON.stringify(file);
  const names = Object.keys(shapes).filter((name) => IDENTIFIER.test(name));
  if (format === 'commonjs') {
    // Never executed: it is how node learns the names that an `import` may ask a CommonJS module for.
    const known = names.map((name) => `exports.${name} = 0;`).join(' ');
    return `const wire = require(${WIRE});\nmodule.exports = wire.exported(${own}, 'default');\nif (0) { ${known} }\n`;
  }
  const lines = names.map(
    (name, at) => `const e${at} = wire.exported(${own}, ${JSON.stringify(name)});\nexport { e${at} as ${name} };\n`,
  );
  return `import wire from ${WIRE};\n${lines.join('')}`;
}

function failingStub(format, error) {
  const thrown = `throw (${format === 'commonjs' ? `require(${WIRE})` : 'wire'}).errorOf(${JSON.stringify(error)});\n`;
  return format === 'commonjs' ? thrown : `import wire from ${WIRE};\n${thrown}export {};\n`;
}

/** Extensions that node adds to a name by itself. */
const ADDED = ['.js', '.json'];

/**
 * Where a stub may lie: at the wanted name, or where node would look for it. Null: anywhere else. The other side must not choose what
 * a package, or the directory of the tests, is for the tests.
 */
function placeFor(wanted, file) {
  const found = resolve(plan.workspace, file);
  const isWanted =
    found === wanted || ADDED.some((extension) => found === wanted + extension) || found.startsWith(`${wanted}/`);
  if (!isWanted || isOutside(found) || found === plan.workspace) return null;
  const parts = relative(plan.workspace, found).split('/');
  if (parts.includes('node_modules') || (parts.length === 1 && parts[0].startsWith(`${TESTS_NAME}.`))) return null;
  return basename(found) === 'package.json' && found !== wanted ? null : found;
}

function readModule(reply) {
  const { file, format, shapes, error } = reply;
  if ('e' in reply || file === undefined) return null;
  if (typeof file !== 'string') throw new Error('not a file');
  if (extname(file) === '.json') return { file, data: shapes?.default ?? null };
  if (format !== 'module' && format !== 'commonjs') throw new Error('not a kind of module');
  if (error !== undefined) return { file, format, error };
  if (!plainValues.isRecord(shapes)) throw new Error('not a description of a module');
  Object.values(shapes).forEach(wire.checkShape);
  return { file, format, shapes };
}

function writeStub(wanted) {
  const module = wire.ask({ file: relative(plan.workspace, wanted) }, readModule);
  const found = module === null ? null : placeFor(wanted, module.file);
  if (found === null) return;
  const { file, format, shapes, error } = module;
  const dir = dirname(found);
  mkdirSync(dir, { recursive: true });
  if (extname(found) === '.json') {
    writeFileSync(found, JSON.stringify(basename(found) === 'package.json' ? withoutMaps(module.data) : module.data));
    return;
  }
  if (error === undefined) wire.describe(file, shapes);
  writeFileSync(found, error === undefined ? stubText(file, format, shapes) : failingStub(format, error));
  if (extname(found) === '.js' && dir !== plan.workspace) writePackage(dir, { type: format });
  if (found.startsWith(`${wanted}/`)) writePackage(wanted, { main: relative(wanted, found) });
}

/** What says where names of a package lead is not the tree's to say to the tests. */
function withoutMaps(data) {
  if (!plainValues.isRecord(data)) return data;
  const { imports: _imports, exports: _exports, ...rest } = data;
  return rest;
}

/** Just enough of a package for node to read and find the stubs in it as it would the real files. */
function writePackage(dir, fields) {
  const path = resolve(dir, 'package.json');
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, JSON.stringify({ ...known, ...fields }));
}

try {
  const { type } = wire.ask({ type: '.' }, (reply) => reply);
  if (type === 'module' || type === 'commonjs') writePackage(plan.workspace, { type });
  for (const wanted of new Set(plan.sources.flatMap(specifiersOf))) if (!isOutside(wanted)) writeStub(wanted);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
}
for (const file of plan.files) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    if (course.gone) continue;
    process.stderr.write(`${error?.stack ?? error}\n`);
    channel.test(relative(plan.root, file), 'error', file);
    course.broken = true;
  }
}
