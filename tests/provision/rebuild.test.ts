import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { Registry } from '../support/registry.ts';
import { Workshop } from '../support/workshop.ts';

let workshop: Workshop;
let registry: Registry;
beforeEach(async () => {
  workshop = new Workshop();
  registry = await Registry.open();
});
afterEach(() => {
  workshop.remove();
  registry.close();
});

/** A package whose tests use what `prepare` makes of its source, and a tool that keeps a cache beside installed packages. */
function repository(): string {
  const cache =
    "import { mkdirSync, writeFileSync } from 'node:fs';\nexport const note = () => {\n  mkdirSync('node_modules/.cache/tool', { recursive: true });\n  writeFileSync('node_modules/.cache/tool/x', 'x');\n};\n";
  registry.publishNpm('cacher', '1.0.0', { 'index.js': cache }, { type: 'module' });
  const about = { name: 'adder', version: '1.0.0', devDependencies: { cacher: '1.0.0' } };
  const packages = { '': about, 'node_modules/cacher': registry.locked('cacher', '1.0.0', { dev: true }) };
  const scripts = { prepare: 'mkdir -p dist && cp src/add.js dist/add.js', test: 'node --test' };
  return workshop.repository('adder', {
    '.gitignore': 'node_modules\ndist\n',
    'package.json': JSON.stringify({ ...about, type: 'module', scripts }),
    'package-lock.json': JSON.stringify({ ...about, lockfileVersion: 3, requires: true, packages }),
    'src/add.js': 'export const add = (a, b) => a - b;\n',
    'test/add.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { note } from 'cacher';\nimport { add } from '../dist/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('has a cache', () => note());\n",
  });
}

const FIX = "sed -i 's/a - b/a + b/' src/add.js";
const passes = (report: Report): void => expect([report.status, report.blockers]).toEqual(['pass', []]);

test('what the setup made from sources is made again from the change, and caches of tools are writable', async () => {
  const repo = repository();
  const engine = `${FIX}; mkdir -p node_modules/.cache/mine && echo kept > node_modules/.cache/mine/x && cat node_modules/.cache/mine/x`;
  const { report } = await workshop.ask(repo, engine, { test: 'npm test' });
  passes(report);
  expect(report.fixed).toEqual(['test/add.test.js::adds']);
  expect(report.changed_files).toEqual(['src/add.js']);
  expect(readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8')).toBe('kept\n');
  expect((await workshop.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
});

test('an engine that builds itself passes too, and its build has no vote', async () => {
  const repo = repository();
  passes((await workshop.ask(repo, `${FIX}; npm run prepare`, { test: 'npm test' })).report);
  const forged = await workshop.ask(repo, "echo 'export const add = () => 3;' > dist/add.js; echo >> src/add.js", {
    test: 'npm test',
  });
  expect(forged.report.failure_reason).toBe('no failing test was fixed');
});

test('a build that only works with network is not repeated: the files of the setup serve, and the report says so', async () => {
  registry.publishNpm('words', '1.0.0', {});
  const repo = workshop.repository('online', {
    '.gitignore': 'made\n',
    'build.py': `import os, shutil, urllib.request
shutil.rmtree("made", ignore_errors=True)
os.makedirs("made")
with open("made/words.txt", "wb") as out:
    out.write(urllib.request.urlopen("${registry.url}/words").read(1) and b"one")
`,
    'slug.py': 'def slug(text):\n    return text\n',
    'tests/test_slug.py': `from pathlib import Path

from slug import slug


def test_low():
    assert slug("A") == "a"


def test_made():
    assert Path("made/words.txt").read_text() == "one"
`,
  });
  const fix = "printf 'def slug(text):\\n    return text.lower()\\n' > slug.py";
  const args = ['--setup', 'python3 build.py'];
  const { report } = await workshop.ask(repo, fix, { test: 'python3 -m pytest -q', args });
  passes(report);
  expect(report.fixed).toEqual(['tests/test_slug.py::test_low']);
  expect(report.tests.note).toContain('not built again from the change');
  // From the cached record, too.
  const again = await workshop.ask(repo, `${fix}; rm -f README`, { test: 'python3 -m pytest -q', args });
  passes(again.report);
  expect((await workshop.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
});

test('a setup that changes tracked files is named with them', async () => {
  const repo = repository();
  const ended = await workshop.ask(repo, FIX, { test: 'npm test', args: ['--setup', 'npm ci && echo >> src/add.js'] });
  expect([ended.report.status, ended.report.failure_reason]).toEqual([
    'blocked',
    'the setup changed tracked files: src/add.js',
  ]);
});

test.for([
  // Its name in the build is refused before anything runs.
  ['conftest.py', 'decides_changed'],
  ['tests/__init__.py', 'test_files_changed'],
] as const)('a build of the patch cannot plant %s for the tests', async ([target, code]) => {
  const repo = workshop.repository('planted', {
    'slug.py': 'def slug(text):\n    return text\n',
    'build.py': 'import pathlib\npathlib.Path("version.txt").write_text("1")\n',
    'tests/test_slug.py': "import slug\n\ndef test_slug():\n    assert slug.slug('A') == 'a'\n",
    '.gitignore': 'version.txt\n',
  });
  const command = 'python3 build.py && python3 -m pytest -q';
  const plant = `open('${target}', 'w').write('import slug; slug.slug = str.lower\\n')`;
  const forge = `cat > build.py <<'END'\n${plant}\nEND\necho >> slug.py`;
  const forged = await workshop.ask(repo, forge, { test: command });
  expect([forged.report.status, forged.report.blocker_codes]).toEqual(['fail', [code]]);

  const honest = `printf 'def slug(text):\\n    return text.lower()\\n' > slug.py; echo '# builds' >> build.py`;
  passes((await workshop.ask(repo, honest, { test: command })).report);
});
