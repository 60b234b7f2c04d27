import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openConfinement } from '../../../confine/open.ts';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import { Masker } from '../../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';
import { judgeRepositoryChange } from '../change/verdict.ts';
import { TestBench } from './bench.ts';
import { findRecord, keepRecord } from './store.ts';
import { takeBaseRecord, type TakeOptions } from './take.ts';

vi.setConfig({ testTimeout: 120_000 });

let scratch: string;
let tree: string;
beforeEach(() => {
  scratch = makeScratch();
  tree = mkdtempSync(join(tmpdir(), 'base-tree-'));
});
afterEach(async () => {
  await removeScratch(scratch);
  rmSync(tree, { recursive: true, force: true });
});

const KEY = 'a'.repeat(64);

async function take(
  files: Record<string, string>,
  options: Partial<TakeOptions> = {},
  testCommand = 'python3 -m pytest -q',
) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return takeBaseRecord(await benchFor(testCommand), tree, { key: KEY, testCommand, ...options });
}

async function benchFor(testCommand: string): Promise<TestBench> {
  return new TestBench({
    sealedTests: null,
    testCommand,
    scriptsIn: tree,
    baseTree: tree,
    isolation: 'in_process',
    timeoutMs: 60_000,
    nonce: 'n'.repeat(32),
    scratch: mkdtempSync(join(scratch, 'bench-')),
    confinement: await openConfinement({ kind: 'bubblewrap', scratch }),
    mask: new Masker(new SecretPatterns([])),
    products: null,
  });
}

const SUITE = {
  'slug.py': 'def slug(text):\n    return text.lower()\n',
  'tests/data/golden.txt': 'abc',
  'tests/unused.txt': 'x',
  'tests/test_slug.py': `
import os, subprocess
from slug import slug
def test_ok(): assert slug("ABC") == open("tests/data/golden.txt").read()
def test_spaces(): assert slug("a b") == "a-b"
def test_flag(): assert not os.path.exists("tests/flag")
def test_git(): subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], check=True)
`,
  'tests/test_later.py': 'from later import thing\ndef test_later(): assert thing() == 1\n',
};

it('holds every test with its outcome, and the files that the tests read, asked for and looked for', async () => {
  symlinkSync('test_slug.py', join(mkdirAt('tests'), 'test_link.py'));
  const taken = await take(SUITE);
  expect(taken.taken).toBe(true);
  if (!taken.taken) return;
  const { record } = taken;
  const outcomes = Object.fromEntries(record.tests.map(({ id, outcome }) => [id, outcome]));
  expect(outcomes).toMatchObject({
    'tests/test_slug.py::test_ok': 'passed',
    'tests/test_slug.py::test_spaces': 'failed',
    'tests/test_slug.py::test_git': 'passed',
    'tests/test_later.py': 'error',
  });
  expect(record.tests).toContainEqual({ id: 'tests/test_later.py', outcome: 'error', file: 'tests/test_later.py' });
  expect(record.collected).toEqual(expect.arrayContaining(['tests/test_later.py', 'tests/test_slug.py']));
  expect(record.found_by).toBe('strace');
  expect(record.read).toEqual(expect.arrayContaining(['slug.py', 'tests/data/golden.txt', 'tests/test_slug.py']));
  expect(record.read).not.toContain('tests/unused.txt');
  expect(record.missing).toEqual(expect.arrayContaining(['tests/flag']));
  expect(record.links).toEqual(['tests/test_link.py']);
  expect(record.outside_modules).toEqual(expect.arrayContaining(['pytest', 'subprocess']));
  expect(record.flaky).toEqual([]);
});

it('sees what was read by access times where there is no strace', async () => {
  const taken = await take(SUITE, { tracer: null });
  expect(taken).toMatchObject({ taken: true, record: { found_by: 'access_times', missing: [] } });
  const read = taken.taken ? taken.record.read : [];
  expect(read).toEqual(expect.arrayContaining(['slug.py', 'tests/data/golden.txt']));
  expect(read).not.toContain('tests/unused.txt');
});

it.each([
  ['strace', {}],
  ['access times', { tracer: null }],
])('sees what tests write by %s', async (_how, options) => {
  const taken = await take(
    {
      'counter.txt': '0',
      'kept.txt': '0',
      'test_a.py': `
def test_count():
    open("counter.txt", "w").write("1")
    open("made.lock", "w").close()
    assert open("kept.txt").read() == "0"
`,
    },
    options,
  );
  const written = taken.taken ? taken.record.written : [];
  expect(written).toEqual(expect.arrayContaining(['counter.txt', 'made.lock']));
  expect(written).not.toContain('kept.txt');
  expect(written).not.toContain('test_a.py');
});

it('names tests that fail and then pass as flaky', async () => {
  const taken = await take({
    'tests/test_a.py': `
import time
def test_dice(): assert time.time_ns() // 1000 % 2 == 0 or True
${Array.from({ length: 30 }, (_, n) => `def test_${n}(): pass`).join('\n')}
`,
  });
  expect(taken).toMatchObject({ taken: true, record: { flaky: [] } });
});

it.each<[string, Record<string, string>, string, string]>([
  ['no tests', { 'a.py': '' }, 'python3 -m pytest -q', 'no_tests_on_base'],
  ['a runner that is not there', { 'a.test.js': '' }, 'npx vitest run', 'not_installed'],
  [
    'a suite that leaves early',
    { 'test_a.py': 'import os\nos._exit(0)\n' },
    'python3 -m pytest -q',
    'tests_not_run_on_base',
  ],
  ['a command that hides failures', { 'test_a.py': '' }, 'pytest || true', 'hides_failures'],
])('%s: no record, with the reason', async (_name, files, command, code) => {
  const taken = await take(files, {}, command);
  expect(taken).toMatchObject({ taken: false, reasons: expect.arrayContaining([expect.objectContaining({ code })]) });
});

it('has no tests where a command reports nothing but an exit code', async () => {
  const taken = await take({ 'check.sh': 'exit 3\n' }, {}, 'sh check.sh');
  expect(taken).toMatchObject({ taken: true, record: { tests: [], exit_code: 3 }, result: { isolation: 'exit_code' } });
});

it('names commands around the tests that failed, and what they used counts too', async () => {
  const files = {
    'build.sh': 'cat settings.txt; exit 1\n',
    'settings.txt': 'x\n',
    'test_a.py': 'def test_a(): pass\n',
  };
  const taken = await take(files, {}, 'sh build.sh && python3 -m pytest -q');
  expect(taken).toMatchObject({
    taken: true,
    record: {
      runner: 'pytest',
      tests: [{ id: 'test_a.py::test_a', outcome: 'passed', file: 'test_a.py' }],
      failed_commands: ['sh build.sh'],
      read: expect.arrayContaining(['build.sh', 'settings.txt', 'test_a.py']),
    },
  });
});

it('single tests run without commands that leave nothing for them, such as a linter, but with those that build or may', async () => {
  const files = {
    'lint.sh': 'cat thing.in >/dev/null; mkdir -p .cache; echo checked >.cache/lint; echo LINT\n',
    'build.sh': 'cp thing.in thing.py; echo BUILD\n',
    'may-build.sh': 'echo MAY; cat absent\n',
    'types.sh': 'echo TYPES; exit 1\n',
    'thing.in': 'def thing(): return 1\n',
    'test_a.py': 'from thing import thing\ndef test_a(): assert thing() == 1\ndef test_b(): assert thing() == 2\n',
  };
  const command = 'sh lint.sh && sh build.sh && sh may-build.sh && python3 -m pytest -q && sh types.sh';
  const taken = await take(files, {}, command);
  expect(taken).toMatchObject({ taken: true, record: { idle_commands: ['sh lint.sh'], flaky: [] } });
  if (!taken.taken) return;
  const bench = (await benchFor(command)).sparing(taken.record.idle_commands ?? []);
  const { seen, output } = await bench.run({ tree, only: ['test_a.py::test_a'] });
  expect(seen).toMatchObject([{ id: 'test_a.py::test_a', outcome: 'passed' }]);
  expect(output.match(/^[A-Z]+$/gm)).toEqual(['BUILD', 'MAY']);
  expect((await bench.run({ tree })).output.match(/^[A-Z]+$/gm)).toEqual(['LINT', 'BUILD', 'MAY', 'TYPES']);
});

it('is found again under its key, and a damaged one is not used', async () => {
  const taken = await take({ 'test_a.py': 'def test_a(): pass\n' });
  if (!taken.taken) throw new Error('no record');
  const cache = join(scratch, 'cache');
  keepRecord(cache, taken.record);
  expect(findRecord(cache, KEY)).toEqual(taken.record);
  expect(findRecord(cache, 'b'.repeat(64))).toBeNull();
  writeFileSync(join(cache, 'base', `${KEY}.json`), '{}');
  expect(findRecord(cache, KEY)).toBeNull();
});

function mkdirAt(path: string): string {
  mkdirSync(join(tree, path), { recursive: true });
  return join(tree, path);
}

it.each([
  ['only its tests', { 'tests/test_slug.py': 'def test_ok():\n    pass\n' }],
  ['also the product', { 'slug.py': 'def slug(text):\n    return text.lower()  # reviewed\n' }],
])(
  'a test that failed when the record was taken and passes on the base now is not fixed by a patch to %s',
  async (_what, patch) => {
    const taken = await take({
      'slug.py': 'def slug(text):\n    return text.lower()\n',
      'tests/test_slug.py': 'from slug import slug\n\n\ndef test_ok():\n    assert slug("A") == "a"\n',
    });
    if (!taken.taken) throw new Error('no record');
    const tests = taken.record.tests.map((one) => ({ ...one, outcome: 'failed' as const }));
    const patchedDir = mkdtempSync(join(scratch, 'patched-'));
    cpSync(tree, patchedDir, { recursive: true });
    for (const [path, text] of Object.entries(patch)) writeFileSync(join(patchedDir, path), text);
    const { verdict, result } = await judgeRepositoryChange({
      bench: await benchFor('python3 -m pytest -q'),
      install: () => Promise.reject(new Error('nothing to install')),
      record: { ...taken.record, tests },
      baseDir: tree,
      patchedDir,
      scratch: mkdtempSync(join(scratch, 'judged-')),
      options: {
        allowDeciding: [],
        protectedFiles: [],
        ignored: new Set(),
        mustFix: [],
        knownFailing: [],
        acceptExitCode: false,
        require: 'fixed_if_failing',
      },
      seed: '00',
    });
    expect([verdict, result?.proof, result?.flaky]).toEqual(['pass', 'kept', ['tests/test_slug.py::test_ok']]);
  },
);
