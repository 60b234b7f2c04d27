/**
 * Generates schemas/*.json from the code. With `--check` it writes nothing, lists every outdated file and exits 1 if there
 * is one.
 */
import { build } from 'esbuild';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCHEMAS = join(ROOT, 'schemas');

const wanted = new Map(
  [...(await loadSchemas())].map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]),
);
const present = existsSync(SCHEMAS) ? readdirSync(SCHEMAS).filter((name) => name.endsWith('.json')) : [];
const contentOf = (name) => (present.includes(name) ? readFileSync(join(SCHEMAS, name), 'utf8') : null);
const stale = [...new Set([...wanted.keys(), ...present])].filter(
  (name) => contentOf(name) !== (wanted.get(name) ?? null),
);

if (process.argv.includes('--check')) {
  for (const name of stale) console.error(`schemas/${name} is out of date; run \`node scripts/schemas.mjs\``);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(SCHEMAS, { recursive: true });
  for (const name of stale) {
    if (wanted.has(name)) writeFileSync(join(SCHEMAS, name), wanted.get(name));
    else rmSync(join(SCHEMAS, name));
  }
  console.log(stale.length === 0 ? 'schemas are up to date' : `written: ${stale.join(', ')}`);
}

async function loadSchemas() {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-schemas-'));
  try {
    const outfile = join(dir, 'schema-list.mjs');
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['src/cli/schema-list.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    });
    const { jsonSchemas } = await import(pathToFileURL(outfile).href);
    return jsonSchemas();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
