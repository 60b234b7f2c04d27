/** Checks that no two files of src/ export the same name. Lists duplicates and exits 1 if there are any. */
import { parseSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(join(ROOT, 'src'), { recursive: true })
  .map((path) => join('src', path))
  .filter((path) => path.endsWith('.ts') && !/\.(test|fixture|d)\.ts$/.test(path) && !path.includes('/suites/'));

const holders = new Map();
for (const file of files)
  for (const name of exportedNames(readFileSync(join(ROOT, file), 'utf8')))
    holders.set(name, [...(holders.get(name) ?? []), file]);
const doubles = [...holders].filter(([, where]) => new Set(where).size > 1);
for (const [name, where] of doubles) console.log(`${name} is exported by ${[...new Set(where)].join(' and ')}`);
// Guards against a parser that silently finds nothing.
if (holders.size === 0) console.log('no exported names found in src/');
process.exitCode = doubles.length === 0 && holders.size > 0 ? 0 : 1;

/** Excludes re-exports. */
function exportedNames(source) {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  return body.flatMap((item) => {
    if (item.type === 'ExportDeclaration') return declaredNames(item.declaration);
    if (item.type !== 'ExportNamedDeclaration' || item.source !== null) return [];
    return item.specifiers.map(({ exported, orig }) => (exported ?? orig).value);
  });
}

function declaredNames(declaration) {
  if (declaration.type !== 'VariableDeclaration') return [(declaration.identifier ?? declaration.id).value];
  return declaration.declarations.map(({ id }) => id.value).filter((name) => name !== undefined);
}
