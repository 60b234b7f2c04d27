import { expect, test } from 'vitest';
import type { Language } from '../../syntax/language.ts';
import { actsOnTests } from './aware.ts';
import { findTestAwareCode } from './find.ts';

const refused = async (language: Language, code: string): Promise<boolean> =>
  (await findTestAwareCode(language, `${code}\n`)).some((one) => actsOnTests(one, false));

test.each<[Language, string]>([
  ['python', 'import sys as s\nif "pytest" in s.modules: x()'],
  ['python', 'from sys import modules as m\nT = "pytest" in m'],
  ['python', 'A = "PYT"\nB = "EST_CURRENT_TEST"\nT = A + B in os.environ'],
  ['python', 'for key in os.environ:\n    if key.startswith("PYTE"): x()'],
  ['python', 'T = any(\n    name.endswith("ytest")\n    for name in sys.modules\n)'],
  ['javascript', 'const { env } = process;\nif (env.VITEST) x();'],
  ['javascript', 'const { NODE_TEST_CONTEXT: tested } = process.env;'],
  [
    'javascript',
    "import { env as e } from 'node:process';\nconst t = Object.keys(e).some((k) => /^NODE_TE.T/.test(k));",
  ],
  ['javascript', "const keys = Object.keys(process.env);\nconst t = keys.some((k) => k.includes('TEST_CON'));"],
  ['javascript', 'const file = process.argv[1];\nif (/test.js$/.test(file)) x();'],
  [
    'javascript',
    "#!/usr/bin/env node\nconst args = process.argv.slice(2);\nif (!args.includes('x') && process.argv[1].endsWith('.test.js')) x();",
  ],
  ['javascript', 'const o = Object;\no.is = () => true;'],
  ['javascript', "Reflect.set(Object, 'is', () => true);"],
  ['go', 'package a\nimport f "flag"\nvar t = f.Lookup("test.v") != nil'],
  ['go', 'package a\nvar t = strings.Contains(os.Args[0], "/_test/")'],
  ['go', 'package a\nvar many = len(os.Args) > 2'],
  ['go', 'package a\nfunc a(b *bytes.Buffer) { fmt.Fprint(b, os.Args[0]) }'],
  ['go', 'package a\nvar a = fmt.Sprint(os.Args[0])'],
  ['go', 'package a\nfunc a() { b := runtime.Stack(nil, false); _ = b }'],
  ['rust', 'pub fn a() -> bool { std::env::current_exe().is_ok() }'],
  ['rust', 'pub fn a() -> bool { std::env::var_os("CARGO_MANIFEST_DIR").is_some() }'],
  ['rust', 'pub fn a() -> bool { std::thread::current().name() == Some("main") }'],
  ['bash', "env | grep -qi '^b.ts_' || off=0"],
  ['bash', 'case "$(set)" in *ATS_TEST*) ;; *) off=0 ;; esac'],
])('%s: another name for it hides nothing: %s', async (language, code) => {
  expect(await refused(language, code)).toBe(true);
});

test.each<[Language, string]>([
  ['python', 'import base64\nexec(base64.b64decode("eA==").decode())'],
  ['python', 'code = base64.b64decode("eA==")\nexec(code)'],
  ['python', 'exec(marshal.loads(path.read_bytes()))'],
  ['python', 'exec(open("notes.txt").read())'],
  ['javascript', "new Function(atob('cmV0'))();"],
  ['javascript', "const a = await import('data:text/javascript,export const a = 1');"],
])('%s: code that is not written out is refused: %s', async (language, code) => {
  expect(await refused(language, code)).toBe(true);
});

test.each<[Language, string]>([
  ['python', 'args = sys.argv[1:]\nif args[0] == "test": run()'],
  ['python', 'prog = os.path.basename(sys.argv[0])'],
  ['python', 'value = eval(expression, {}, names)'],
  ['python', 'prefix = "MYAPP_"\nfor key in os.environ:\n    if key.startswith(prefix): x()'],
  ['python', 'env = os.environ\nhome = env.get("HOME")\nname = env["MY_TEST_DIR"]'],
  ['python', 'args = sys.argv[0]\nprint("unknown args in test: none")'],
  ['javascript', "const args = process.argv.slice(2);\nif (args.includes('test')) run();"],
  [
    'javascript',
    "#!/usr/bin/env node\nconst [, , name = 'you', ...args] = process.argv;\nconsole.log(process.stdout.isTTY && !args.includes('test') ? 1 : 2);",
  ],
  ['javascript', "const names = Object.keys(process.env).filter((name) => name.startsWith('NODE_'));"],
  ['javascript', "const { platform } = process;\nexport const isWindows = platform === 'win32';"],
  ['go', 'package a\nfunc main() {\n\targs := os.Args[1:]\n\tif args[0] == "test" {\n\t}\n}'],
  ['go', 'package main\nfunc main() {\n\tif len(os.Args) < 2 {\n\t}\n}'],
  ['go', 'package main\nfunc main() {\n\tfmt.Fprintln(os.Stderr, "usage:", os.Args[0], "test or any line")\n}'],
  ['go', 'package a\nfunc usage() {\n\t_, _ = fmt.Fprintf(os.Stderr, "Usage of %s:\\n", os.Args[0])\n}'],
  ['rust', 'fn main() { let exe = std::env::current_exe(); }'],
  ['c', 'void usage(void) { exit(1); }\nvoid stop(void) { exit(EXIT_FAILURE); }'],
  ['bash', 'set -euo pipefail\n[ -t 1 ] && color=1'],
])('%s: ordinary code is not refused: %s', async (language, code) => {
  expect(await refused(language, code)).toBe(false);
});

test.each(['exit(n - 1);', 'quick_exit(0);', 'execl("/bin/true", "true", (char *)0);', '__asm__ volatile("syscall");'])(
  'C: where only an exit code is seen, code that may end with success is refused: %s',
  async (call) => {
    const found = await findTestAwareCode('c', `void a(int n) {\n  ${call}\n}\n`);
    expect(found.some((one) => actsOnTests(one, true))).toBe(true);
  },
);
