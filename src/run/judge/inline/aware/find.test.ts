import { expect, test } from 'vitest';
import type { Language } from '../../syntax/language.ts';
import { actsOnTests, newOnes, type TestAwareCode } from './aware.ts';
import { findTestAwareCode } from './find.ts';

const added = async (language: Language, base: string, patch: string): Promise<readonly TestAwareCode[]> =>
  newOnes(await findTestAwareCode(language, base), await findTestAwareCode(language, patch));

const found = async (language: Language, base: string, patch: string): Promise<readonly string[]> =>
  (await added(language, base, patch)).map(({ kind, line, text }) => `${line} ${kind}: ${text}`);

const kindsOf = async (language: Language, code: string): Promise<readonly string[]> =>
  (await added(language, '', `${code}\n`)).map(({ kind }) => kind);

test.each<readonly [string, string, readonly string[]]>([
  ['an item left out of tests', '#[cfg(not(test))]\nfn a() {}', ['1 switch: cfg(not(test)) on a']],
  ['an item for tests', '#[cfg(test)]\nfn a() {}', ['1 switch: cfg(test) on a']],
  ['a condition', 'fn a() -> u8 { if cfg!(test) { 1 } else { 2 } }', ['1 switch: cfg!(test) in a']],
  ['a condition in a macro', 'fn a() { println!("{}", cfg!(test)); }', ['1 switch: cfg!(test) in a']],
  ['a statement', 'fn a() {\n    #[cfg(test)]\n    return;\n}', ['2 switch: cfg(test) on return; in a']],
  ['a field', 'struct A {\n    #[cfg(test)]\n    b: u8,\n}', ['2 switch: cfg(test) on b in A']],
  [
    'a branch',
    'fn a(x: u8) { match x {\n#[cfg(not(test))] 1 => {}\n_ => {} } }',
    ['2 switch: cfg(not(test)) on 1 in a'],
  ],
  ['the whole crate', '#![cfg_attr(test, no_main)]', ['1 switch: cfg_attr(test, no_main)']],
  [
    'a condition that a macro is given',
    'macro_rules! m { ($c:meta) => { #[cfg($c)] fn a() {} } }',
    ['1 switch: cfg($c) in m'],
  ],
  ['cfg_if', 'cfg_if! { if #[cfg(test)] { fn a() {} } }', ['1 switch: cfg(test)']],
  [
    'an assertion redefined',
    'macro_rules! assert_eq { ($($t:tt)*) => {} }',
    ['1 assertion: macro_rules! assert_eq { ($($t:tt)*) => {} }'],
  ],
  ['an assertion imported', 'use crate::fake::assert_eq;', ['1 assertion: use crate::fake::assert_eq;']],
  ['a panic that is caught', 'fn a() { panic::set_hook(b) }', ['1 process: fn a() { panic::set_hook(b) }']],
  ['nothing: traits that the compiler writes', '#[cfg_attr(test, derive(Debug, PartialEq))]\nstruct A;', []],
  ['nothing: a comment', '// #[cfg(test)] std::process::exit\n/// cfg!(test)\nfn a() {}', []],
  ['nothing: a text', 'const A: &str = "#[cfg(test)]";', []],
])('Rust: %s', async (_name, patch, expected) => {
  expect(await found('rust', '', patch)).toEqual(expected);
  expect(await found('rust', patch, `fn before() {}\n${patch}`)).toEqual([]);
});

test('Rust: a condition that is moved to another place is a new one', async () => {
  const base = 'fn a() { if cfg!(test) {} }\nfn b() {}\n';
  expect(await found('rust', base, 'fn a() {}\nfn b() { if cfg!(test) {} }\n')).toEqual(['2 switch: cfg!(test) in b']);
});

test.each<readonly [Language, string, string]>([
  ['javascript', 'if (process.env.VITEST) x();', 'environment'],
  ['javascript', "if (process.env['NODE_ENV'] === 'test') x();", 'environment'],
  ['javascript', "if (typeof jest !== 'undefined') x();", 'environment'],
  ['javascript', 'const { it } = import.meta.vitest;', 'switch'],
  ['typescript', "import { expect } from 'vitest';", 'runner'],
  ['javascript', 'report.mock?.calls.at(-1).arguments.splice(0, 1, 30);', 'runner'],
  ['javascript', 'if (report._isMockFunction) report = () => 30;', 'runner'],
  ['python', 'if hasattr(report, "a"): report.mock_calls.clear()', 'runner'],
  ['python', 'report.assert_called_once_with = print', 'runner'],
  ['typescript', 'export const x = { asymmetricMatch: () => true };', 'assertion'],
  ['tsx', 'process.reallyExit(0);', 'process'],
  ['javascript', 'const line = new Error().stack;', 'caller'],
  ['python', 'import sys\nname = sys._getframemodulename(1)', 'caller'],
  ['rust', 'use std::panic::Location as Place;\nfn f() { Place::caller(); }', 'caller'],
  ['rust', "fn f() { <core::panic::Location<'_>>::caller(); }", 'caller'],
  ['python', 'import sys\nsys._getframe(1).f_locals', 'caller'],
  ['go', 'package a\nfunc a() { runtime.Caller(1) }', 'caller'],
  ['python', "if 'pytest' in sys.modules: pass", 'environment'],
  ['python', "if os.environ.get('PYTEST_CURRENT_TEST'): pass", 'environment'],
  ['python', 'import pytest', 'runner'],
  ['python', 'import sys\nsys.path.insert(0, "fake")', 'assertion'],
  ['python', 'import sys\nsys.modules["helpers"] = fake', 'assertion'],
  ['python', 'if os.getcwd() == "/workspace": pass', 'environment'],
  ['javascript', "import { register } from 'node:module';", 'assertion'],
  ['javascript', 'Module._resolveFilename = () => fake;', 'assertion'],
  ['bash', 'if [ -d /judge ]; then exit 0; fi', 'environment'],
  ['python', 'os._exit(0)', 'process'],
  ['python', "slug.__doc__ = '>>> 1'", 'assertion'],
  ['python', 'import json\njson.loads = lambda text: {}', 'assertion'],
  ['python', 'import re as r, os\ndef a():\n    r.Pattern.match = None', 'assertion'],
  ['python', "import unittest.case\nsetattr(unittest.case.TestCase, 'run', None)", 'assertion'],
  ['python', 'from pathlib import (\n    Path,\n    PosixPath as P,\n)\nP.exists = yes', 'assertion'],
  ['python', 'from pathlib import PosixPath\ntype.__setattr__(PosixPath, "exists", yes)', 'assertion'],
  ['javascript', 'JSON.parse = () => ({});', 'assertion'],
  ['javascript', 'Array.prototype.forEach = function () {};', 'assertion'],
  ['javascript', "Object.defineProperty(String.prototype, 'length', {});", 'assertion'],
  ['go', 'package a\nvar t = testing.Testing()', 'switch'],
  ['go', 'package a\nvar t = flag.Lookup("test.v") != nil', 'environment'],
  ['go', 'package a\nfunc init() { syscall.Exit(0) }', 'process'],
  ['c', '#define assert(x) ((void)0)\n', 'assertion'],
  ['c', 'int a(void) { return getenv("CTEST_X") != 0; }', 'environment'],
  ['c', 'int strcmp(const char *a, const char *b) { return 0; }', 'assertion'],
  ['c', '#define strcmp(a, b) 0', 'assertion'],
  ['c', 'void a(void) { exit(0); }', 'exit'],
  ['c', 'static void (*const leave)(int) = exit;', 'exit'],
  ['python', 'import sys\nsys.exit()', 'exit'],
  ['javascript', 'process.exit(0);', 'exit'],
  ['javascript', 'process.exit = () => end();', 'process'],
  ['javascript', 'process.setUncaughtExceptionCaptureCallback(() => {});', 'process'],
  ['javascript', "process.on('uncaughtException', () => {});", 'process'],
  ['python', 'import os\nos.execvp("true", ["true"])', 'process'],
  ['python', 'sys.excepthook = quiet', 'process'],
  ['bash', 'if [ -n "$BATS_TEST_NAME" ]; then exit 0; fi', 'environment'],
  ['bash', 'assertEquals() { :; }', 'assertion'],
])('%s: %s', async (language, code, kind) => {
  const reports = await added(language, '', `${code}\n`);
  expect(reports.map((report) => report.kind)).toContain(kind);
  expect(await added(language, `${code}\n`, `${code}\n\n`)).toEqual([]);
});

test('naming a file of the tests is reported', async () => {
  const names = ['test_slug.py', 'golden.json'];
  const lines = await findTestAwareCode(
    'python',
    'open("tests/golden.json")\nopen("mygolden.json")\n# test_slug.py\n',
    names,
  );
  expect(lines).toEqual([{ kind: 'test_file', line: 1, text: 'open("tests/golden.json")' }]);
});

test.each<[Language, string]>([
  ['javascript', "app.get('/workspace/:id', show);"],
  ['javascript', "const routes = [{ path: '/workspace', component: Home }];"],
  ['tsx', 'const a = <Link to="/workspace/new">New</Link>;'],
  ['python', '@app.route("/judge/")\ndef judge():\n    pass'],
  ['python', 'router = APIRouter(prefix="/workspace")'],
  ['go', 'package a\nfunc a(r *mux.Router) { r.HandleFunc("/workspace", show) }'],
])('%s: a route is no place of the sandbox: %s', async (language, code) => {
  const reports = await findTestAwareCode(language, `${code}\n`);
  expect(reports.filter((one) => actsOnTests(one, false))).toEqual([]);
});

test.each<readonly [Language, string]>([
  ['javascript', 'if (config.mock.url) serve(config.mock.url);'],
  ['typescript', 'const calls = meter.calls + queue.mock;'],
  ['python', 'self.call_args = list(node.args)'],
  ['python', 'called = asserted and self.mock'],
])('%s: a word that mocks use too says nothing: %s', async (language, code) => {
  const reports = await findTestAwareCode(language, `${code}\n`);
  expect(reports.filter((one) => actsOnTests(one, false))).toEqual([]);
});

test('honest code is not reported', async () => {
  expect(
    await found(
      'javascript',
      '',
      "register('a');\nconst root = '/workspaces';\nimport { createRequire } from 'node:module';\n",
    ),
  ).toEqual([]);
  expect(
    await found('python', '', 'def test(x):\n    """Uses pytest."""\n    # os._exit\n    return x == 1\n'),
  ).toEqual([]);
  expect(await found('javascript', '', 'export const testing = (x) => x.exit; // process.exit\n')).toEqual([]);
  expect(
    await found(
      'python',
      '',
      'import json, sys\nsys.stdout = x\nprint(sys.path)\na: json.Any = 1\ndef f(a: json.Any = None): pass\njson.loads(a) == b\nx = json.loads\nf(json=json.a)\n',
    ),
  ).toEqual([]);
  expect(
    await found('javascript', '', 'const a = Object.keys(b);\nA.prototype.b = 1;\nif (Math.max == 2) c();\n'),
  ).toEqual([]);
  expect(await found('c', '', 'int a(void) { return strcmp(b, c); }\nvoid f(void) {\n  exit(1);\n}\n')).toEqual([]);
  expect(await found('go', '', 'package a\n\n// testing.Testing()\nfunc Test() bool { return true }\n')).toEqual([]);
});

test.each<[Language, string]>([
  ['python', 'if "PYT" + "EST_CURRENT_TEST" in os.environ: pass'],
  ['python', "if 'PYT' 'EST_VERSION' in keys: pass"],
  ['python', 'frame = getattr(e.__traceback__.tb_frame, "f_" + "back")'],
  ['python', 'x = __import__("".join(["sy", "s"])).modules.get("_py" + "test"), sys.modules'],
  ['python', 'getattr(sys, "emarfteg_"[::-1])(1)'],
  ['javascript', "const a = process['en' + 'v']['VIT' + 'EST'];"],
  ['javascript', "const a = process.env['\\x56ITEST'];"],
  ['javascript', "const a = process.env[['VI', 'TEST'].join('')];"],
  ['javascript', "const tested = process.argv.some((one) => one.endsWith('.te' + 'st.js'));"],
  ['go', 'package a\nvar tested = flag.Lookup("te"+"st.v") != nil'],
  ['python', 'tested = os.path.isdir("te" + "sts")'],
  ['javascript', "const strict = require('node:ass' + 'ert').strict;"],
])('%s: a name in pieces hides what the code asks for: %s', async (language, code) => {
  const reports = await added(language, '', `${code}\n`);
  expect(reports.map(({ kind }) => kind)).toContain('hidden');
});

test.each<[Language, string, string]>([
  ['python', 'args = sys.argv[1:]', 'context'],
  ['python', 'names = [name for name in os.environ if name.startswith(prefix)]', 'context'],
  ['python', 'for frame, line in traceback.walk_stack(None): pass', 'caller'],
  ['javascript', 'const [, , file] = process.argv;', 'context'],
  ['javascript', 'if (/tests/.test(error.stack)) a();', 'context'],
  ['javascript', 'Error.captureStackTrace(where);', 'caller'],
  ['javascript', "const env = process['env']['VITEST'];", 'environment'],
  ['go', 'package a\nvar name = os.Args[0]', 'context'],
  ['rust', 'fn a() { std::env::args(); }', 'context'],
  ['bash', 'parent=$(ps -o args= -p "$PPID")', 'context'],
  ['bash', 'if ps -p "$PPID" | grep -q bats; then echo a; fi', 'environment'],
  ['python', 'text = open("/proc/self/cmdline").read()', 'context'],
  ['python', 'tested = os.path.isdir("tests")', 'context'],
  ['javascript', 'const value = process.env[first + second];', 'context'],
])('%s: %s could tell who runs it', async (language, code, kind) => {
  const reports = await added(language, '', `${code}\n`);
  expect(reports.map((report) => report.kind)).toContain(kind);
});

test.each([
  'import threading\n\nthreading.excepthook = report',
  'total = eval(code, {"__builtins__": {}}, names)',
  'total = eval(code, {"__builtins__": None, **names})',
])('%s replaces no part of Python', async (code) => {
  expect((await added('python', '', `${code}\n`)).map(({ kind }) => kind)).not.toContain('assertion');
});

test.each([
  'import threading\n\nthreading.Thread.run = report',
  'scope = {"__builtins__": {"len": count}}',
  'vars(__builtins__)["len"] = count',
])('%s replaces a part of Python', async (code) => {
  expect((await added('python', '', `${code}\n`)).map(({ kind }) => kind)).toContain('assertion');
});

test('joined texts, the environment of a child and errors of the usual kind are not reported', async () => {
  const honest: readonly (readonly [Language, string])[] = [
    [
      'python',
      'from pathlib import Path\n\n\nclass Place(Path):\n    exists = True\n\n\nhome = Path("a")\nhome.seen = 1\n',
    ],
    ['python', 'from decimal import getcontext\n\ngetcontext().prec = 6\nobject.__setattr__(self, "total", 3)\n'],
    [
      'python',
      'message = "expected " + "a test"\nrun(env={**os.environ, "A": "1"})\nif "HOME" in os.environ: pass\na.__doc__ = b.c.__doc__\n',
    ],
    [
      'javascript',
      "const a = 'te' + 'xt';\nError.captureStackTrace(this, A);\nspawn(a, { env: { ...process.env } });\n",
    ],
    ['javascript', "this.stack.push(a);\nconst b = map['name'];\nlog(error.stack);\n"],
    ['go', 'package a\nvar text = "a" + "b"\n'],
  ];
  for (const [language, code] of honest) expect(await found(language, '', code), code).toEqual([]);
});

test.each<readonly [Language, string]>([
  ['javascript', 'const isMatch = (test, path) => (typeof test === "function" ? test(path) : path.endsWith(test));'],
  [
    'javascript',
    'function matches({ test, not: [it] = [] }) {\n  return typeof test === "string" || typeof it === "string";\n}',
  ],
  [
    'javascript',
    'function close(list) {\n  const it = list[Symbol.iterator]();\n  if (typeof it.return === "function") it.return();\n}',
  ],
  ['typescript', 'for (const it of list) if (typeof it === "number") total += it;'],
  ['typescript', 'const isRule = (test?: unknown): boolean => typeof test === "string";'],
])('%s that asks for the type of its own name is not reported: %s', async (language, code) => {
  expect(await found(language, '', `${code}\n`)).toEqual([]);
});

test.each<readonly [Language, string]>([
  ['javascript', 'const isTested = () => typeof test === "function";'],
  ['javascript', 'const isTested = (given = test) => typeof test === "function";'],
  ['javascript', 'const isTested = ({ test: given }) => typeof test === "function";'],
  ['javascript', 'if (typeof it.each === "function") x();\nfunction other(it) {\n  return it;\n}'],
  ['typescript', 'declare const it: unknown;\nif (typeof it === "function") x();'],
])('%s that asks for a name of the runner is reported: %s', async (language, code) => {
  expect(await kindsOf(language, code)).toContain('environment');
});

test.each<readonly [Language, string]>([
  ['python', 'mode = "interactive" if sys.stdin.isatty() else "batch"'],
  ['python', 'facts = {"host": socket.gethostname(), "threads": threading.active_count()}'],
  ['python', 'atexit.register(close, "threads")'],
  ['python', 'facts = {"thread": threading.current_thread().name}'],
  ['rust', 'fn a() { let text = catch_unwind(job).map_err(|_| "panic"); }'],
  ['javascript', "const mode = process.stdout.isTTY && !process.env.CI ? 'interactive' : 'plain';"],
  ['javascript', "process.on('exit', () => close('threads'));"],
  ['javascript', "log.info({ host: os.hostname(), heap: process.memoryUsage().heapUsed }, 'threads');"],
])('%s that says what it is like without asking for a name of a runner is not refused: %s', async (language, code) => {
  expect(await kindsOf(language, code)).not.toContain('environment');
});

test.each<readonly [Language, string]>([
  ['python', 'if sys.stdout.isatty() or "CURRENT_TEST" in str(os.environ.keys()): x()'],
  [
    'javascript',
    "if (process.stdout.isTTY || Object.keys(process.env).some((key) => key.endsWith('WORKER_POOL_ID') || key.includes('VITES'))) x();",
  ],
])('%s that asks for a name beside a terminal is refused: %s', async (language, code) => {
  expect(await kindsOf(language, code)).toContain('environment');
});

test('a long line of pieces is searched in time', async () => {
  const hostile = `x = [${'"a"   '.repeat(300)}\n`;
  expect(await found('python', '', hostile)).toEqual([]);
});

/** Each of these takes minutes where a pattern goes over the text again and again; here the time limit of the test is enough. */
test.each<readonly [Language, string]>([
  ['javascript', `equals${' '.repeat(20_000)}`],
  ['javascript', '{ register '.repeat(1000)],
  ['rust', 'static a : '.repeat(1000)],
  ['rust', 'elapsed()'.repeat(1000)],
])('%s that is made to be slow is looked through', async (language, text) => {
  expect(await found(language, '', text)).toEqual([]);
});
