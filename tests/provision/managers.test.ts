import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { cargoRegistry, goProxy, wheel } from '../support/archives.ts';
import { Workshop } from '../support/workshop.ts';

let workshop: Workshop;
let parts: string;
beforeEach(() => {
  workshop = new Workshop();
  parts = join(workshop.root, 'parts');
  mkdirSync(parts);
});
afterEach(() => workshop.remove());

const passes = (report: Report): void => expect([report.status, report.blockers]).toEqual(['pass', []]);
const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const passOn = (...names: string[]): void =>
  writeFileSync(join(workshop.cwd, 'seatrial.toml'), `[confine]\nprovision_env = ${JSON.stringify(names)}\n`);
const below = (dir: string, files: Record<string, string | Uint8Array>): Record<string, string | Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${dir}/${name}`, content]));

describe('npm', () => {
  const PACKAGE = { name: 'numbers', version: '1.0.0', type: 'module', dependencies: { 'is-number': '7.0.0' } };
  const FILES = {
    '.gitignore': 'node_modules\n',
    'package.json': JSON.stringify({ ...PACKAGE, scripts: { test: 'node --test' } }),
    'both.js': "import isNumber from 'is-number';\nexport const both = (a, b) => isNumber(a);\n",
    'both.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { both } from './both.js';\ntest('both', () => assert.equal(both(1, 'x'), false));\ntest('one', () => assert.equal(both(1, 2), true));\n",
  };
  const FIX = "sed -i 's/isNumber(a);/isNumber(a) \\&\\& isNumber(b);/' both.js";

  test('brings what the lockfile pins, for tests without network, and again for another commit with the same lockfile', async (context) => {
    const repo = workshop.repository('numbers', FILES);
    const locked = spawnSync('npm', ['install', '--package-lock-only', '--fetch-retries=0'], { cwd: repo });
    if (locked.status !== 0) return context.skip(`the npm registry is out of reach: ${locked.stderr.toString()}`);
    workshop.repository('numbers', {});
    const first = await workshop.ask(repo, `${FIX}; npm test`, { test: 'npm test' });
    passes(first.report);
    expect(first.report.provision).toMatchObject({
      lockfile: 'package-lock.json',
      setup_command: 'npm ci',
      cached: false,
    });
    expect(first.report.baseline?.comparison.tests).toMatchObject({ fixed: ['both.test.js::both'] });
    expect(readFileSync(join(first.report.run_dir, 'backend/stdout.log'), 'utf8')).toContain('# pass 2');
    workshop.repository('numbers', { 'README.md': 'Numbers\n' });
    const second = await workshop.ask(repo, FIX, { test: 'npm test' });
    passes(second.report);
    expect(second.report.provision).toMatchObject({ cached: true, key: first.report.provision?.key });
    const html = readFileSync(join(second.report.run_dir, 'report.html'), 'utf8');
    expect(html).toContain('npm ci');
    expect(html).toContain(second.report.provision?.products_sha256);
  });

  test('blocks with a reason that names no host when its registry cannot be reached', async () => {
    const pinned = { version: '7.0.0', resolved: 'http://127.0.0.1:1/is-number.tgz', integrity: 'sha512-AAAA' };
    const lock = { ...PACKAGE, lockfileVersion: 3, packages: { '': PACKAGE, 'node_modules/is-number': pinned } };
    const repo = workshop.repository('numbers', { ...FILES, 'package-lock.json': JSON.stringify(lock) });
    passOn('npm_config_fetch_retries');
    const { report, code } = await workshop.ask(repo, FIX, {
      test: 'npm test',
      env: { npm_config_fetch_retries: '0' },
    });
    expect([code, report.failure_reason]).toEqual([2, 'setup command failed with exit code 1']);
    expect(report.blockers[1]).toMatch(/^registry out of reach: it refuses connections; /);
    expect(report.blockers[1]).not.toContain('127.0.0.1');
    expect(readFileSync(join(report.run_dir, 'backend/setup.stderr.log'), 'utf8')).toContain('ECONNREFUSED');
  });

  test('is not asked where the lockfile pins nothing', async () => {
    const { dependencies: _, ...lonely } = PACKAGE;
    const repo = workshop.repository('lonely', {
      'package.json': JSON.stringify(lonely),
      'package-lock.json': JSON.stringify({ ...lonely, lockfileVersion: 3, packages: { '': lonely } }),
      'src/answer.txt': 'no',
    });
    const { report } = await workshop.ask(repo, 'echo yes > src/answer.txt', {
      test: 'grep -q yes src/answer.txt',
      // Data that the test reads decides, unless a person says otherwise.
      args: ['--allow-deciding', 'src/answer.txt'],
    });
    passes(report);
    expect([report.provision, workshop.entries()]).toEqual([null, []]);
  });
});

describe('pip', () => {
  const FILES = {
    '.gitignore': '.venv\n__pycache__\n',
    'slug.py': 'from words import join\n\n\ndef slug(text):\n    return join(*text.split(" "))\n',
    'test_slug.py':
      'import unittest\nfrom slug import slug\n\n\nclass Slug(unittest.TestCase):\n    def test_words(self):\n        self.assertEqual(slug("a b"), "a-b")\n\n    def test_case(self):\n        self.assertEqual(slug("A b"), "a-b")\n',
  };
  const FIX = "sed -i 's/text.split/text.lower().split/' slug.py";

  test('fills a virtual environment, in which the tests run', { tags: ['long'] }, async (context) => {
    if (!works('python3', '-c', 'import ensurepip')) return context.skip('this python3 cannot make environments');
    const repo = workshop.repository('slugs', {
      ...FILES,
      'requirements.txt': './wheels/words-1.0-py3-none-any.whl\n',
      'wheels/words-1.0-py3-none-any.whl': wheel(parts),
    });
    const see = "python3 -c 'import words; print(words.__file__)'";
    const { report } = await workshop.ask(repo, `${FIX}; ${see}`, { test: 'python3 -m unittest' });
    passes(report);
    expect(report.tests.seen).toHaveLength(2);
    const said = readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8');
    expect(said).toMatch(/^\/workspace\/\.venv\/lib\/.*\/words\.py$/m);
    const lacking = await workshop.ask(repo, FIX, { test: 'python3 -m pytest -q' });
    expect(lacking.report.blockers).toContain('not installed: pytest in .venv, where the setup has to put it');
    expect(lacking.report.provision?.cached).toBe(true);
  });

  test('blocks with a reason when its index cannot be reached', { tags: ['long'] }, async (context) => {
    if (!works('python3', '-c', 'import ensurepip')) return context.skip('this python3 cannot make environments');
    const repo = workshop.repository('slugs', { ...FILES, 'requirements.txt': 'words==1.0\n' });
    passOn('PIP_INDEX_URL', 'PIP_RETRIES');
    const { report, code } = await workshop.ask(repo, FIX, {
      test: 'python3 -m unittest',
      env: { PIP_INDEX_URL: 'http://127.0.0.1:1/simple', PIP_RETRIES: '1' },
    });
    expect([code, report.failure_reason]).toEqual([2, 'setup command failed with exit code 1']);
    expect(report.blockers[1]).toMatch(/^registry out of reach: it refuses connections/);
    const log = readFileSync(join(report.run_dir, 'backend/setup.stderr.log'), 'utf8');
    expect(log).not.toContain('http://127.0.0.1:1/simple');
  });
});

test('uv that is not installed is named, with how to get it', async (context) => {
  if (works('sh', '-c', 'command -v uv')) return context.skip('uv is installed here');
  const repo = workshop.repository('pinned', {
    'uv.lock': 'version = 1\n\n[[package]]\nname = "words"\nsource = { registry = "https://index.example/simple" }\n',
    'a.txt': '',
  });
  const { report, code } = await workshop.ask(repo, 'echo a > a.txt', { test: 'true' });
  expect(code).toBe(2);
  expect(report.blockers).toEqual([
    'uv.lock needs uv, which is not installed: run pip install uv, or give another --setup',
  ]);
});

test('cargo fetches crates once, and builds without network from what it has', { tags: ['long'] }, async (context) => {
  const toolchain = spawnSync('rustup', ['which', 'cargo']).stdout?.toString().trim();
  if (!toolchain) return context.skip('there is no Rust toolchain here');
  const repo = workshop.repository('slug', {
    ...below('registry', cargoRegistry(parts)),
    '.cargo/config.toml': '[source.crates-io]\nreplace-with = "here"\n[source.here]\nlocal-registry = "registry"\n',
    'Cargo.toml': '[package]\nname = "slug"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nwords = "1"\n',
    'src/lib.rs':
      'pub fn slug(t: &str) -> String { words::join(&t.split(" ").collect::<Vec<_>>()) }\n\n#[test]\nfn case() { assert_eq!(slug("A b"), "a-b"); }\n',
  });
  const cargo = { PATH: dirname(toolchain), CARGO_HOME: join(parts, 'cargo') };
  execFileSync(toolchain, ['generate-lockfile', '--offline'], { cwd: repo, env: cargo, stdio: 'pipe' });
  workshop.repository('slug', {});
  const path = `${dirname(toolchain)}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const fix = "sed -i 's/t.split/t.to_lowercase().split/' src/lib.rs";
  const { report } = await workshop.ask(repo, fix, { test: 'cargo test', env: { PATH: path } });
  passes(report);
  expect(report.provision).toMatchObject({ lockfile: 'Cargo.lock', setup_command: 'cargo fetch --locked' });
});

test('go downloads modules once, and tests without network from what it has', { tags: ['long'] }, async (context) => {
  if (!works('go', 'version')) return context.skip('go is not installed here');
  const files = {
    ...below('proxy', goProxy(parts)),
    'go.mod': 'module example.com/slug\n\ngo 1.19\n\nrequire example.com/words v1.0.0\n',
    'slug.go':
      'package slug\n\nimport (\n\t"strings"\n\n\t"example.com/words"\n)\n\nfunc Slug(t string) string { return words.Join(strings.Split(t, " ")...) }\n',
    'slug_test.go':
      'package slug\n\nimport "testing"\n\nfunc TestCase(t *testing.T) {\n\tif Slug("A b") != "a-b" {\n\t\tt.Fatal()\n\t}\n}\n',
  };
  const repo = workshop.repository('slug', files);
  execFileSync('go', ['mod', 'tidy'], {
    cwd: repo,
    env: {
      PATH: process.env['PATH'],
      HOME: parts,
      GOPROXY: `file://${join(repo, 'proxy')}`,
      GOFLAGS: '-modcacherw',
      GONOSUMDB: '*',
      GOSUMDB: 'off',
    },
    stdio: 'pipe',
  });
  workshop.repository('slug', {});
  passOn('GOPROXY');
  const fix = "sed -i 's/Split(t,/Split(strings.ToLower(t),/' slug.go; go test ./...";
  const env = { GOPROXY: 'file:///workspace/proxy' };
  const { report } = await workshop.ask(repo, fix, { test: 'go test ./...', env });
  passes(report);
  expect(report.provision).toMatchObject({ lockfile: 'go.sum', setup_command: 'go mod download' });
  expect(readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8')).toContain('ok  \texample.com/slug');
});
