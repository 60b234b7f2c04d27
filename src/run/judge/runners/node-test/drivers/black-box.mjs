/**
 * Runs sealed tests without the code under test: stub modules stand where the tests import from, each asking the
 * other sandbox. Stubs are plain files, written before the first test is loaded: no loader hook, no second thread.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import channel from '../../shared/node/drivers/channel.cjs';
import { course, end } from './reporter.mjs';
import wire from './wire.cjs';

const { plan } = channel;
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

function writeStub(wanted) {
  const { file, format, shapes, error } = wire.ask({ file: relative(plan.workspace, wanted) });
  if (typeof file !== 'string') return;
  const found = resolve(plan.workspace, file);
  if (isOutside(found) || found === plan.workspace) return;
  const folder = dirname(found);
  mkdirSync(folder, { recursive: true });
  if (extname(found) === '.json') {
    writeFileSync(found, JSON.stringify(shapes?.default ?? null));
    return;
  }
  if (error === undefined) wire.describe(file, shapes);
  writeFileSync(found, error === undefined ? stubText(file, format, shapes) : failingStub(format, error));
  if (extname(found) === '.js' && folder !== plan.workspace) writePackage(folder, { type: format });
  if (found.startsWith(`${wanted}/`)) writePackage(wanted, { main: relative(wanted, found) });
}

/** Just enough of a package for node to read and find the stubs in it as it would the real files. */
function writePackage(folder, fields) {
  const path = resolve(folder, 'package.json');
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, JSON.stringify({ ...known, ...fields }));
}

try {
  const { type } = wire.ask({ type: '.' });
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
