import { expect, test } from 'vitest';
import type { Language } from '../../../syntax/language.ts';
import { actsOnTests } from '../aware.ts';
import { findTestAwareCode } from '../find.ts';

async function isRefused(language: Language, code: string): Promise<boolean> {
  return (await findTestAwareCode(language, `${code}\n`)).some((one) => actsOnTests(one, false));
}

test.each<[Language, string]>([
  ['javascript', 'const many = Object.keys(globalThis).length > 80;'],
  ['javascript', "const seen = Reflect.ownKeys(globalThis).some((key) => String(key).startsWith('__vi'));"],
  ['javascript', 'for (const name in globalThis) look(name);'],
  ['javascript', "const seen = console.constructor.name !== 'Object';"],
  ['javascript', 'const seen = !/native/.test(setTimeout.toString());'],
  ['javascript', 'const seen = process.moduleLoadList.length > 200;'],
  ['javascript', '({}).constructor.is = () => true;'],
  ['javascript', "for (const name of ['is']) Object[name] = () => true;"],
  ['javascript', "Reflect.defineProperty({}.constructor, 'is', { value: () => true });"],
  ['javascript', "Object.getPrototypeOf('').trim = () => 'x';"],
  ['javascript', "''.__proto__.localeCompare = () => 0;"],
  ['javascript', "const loader = require('node:module');\nloader.prototype.require = load;"],
  ['javascript', "const { stack } = new Error('x');"],
  ['javascript', "const seen = require.resolve('mo' + 'cha');"],
  ['typescript', "const seen = existsSync('vitest.config.ts');"],
  ['python', 'seen = importlib.util.find_spec("py" + "test")'],
  ['python', 'seen = sys.displayhook is sys.__displayhook__'],
  ['python', 'seen = os.path.exists("conftest.py")'],
  ['go', 'package a\n\nvar tests, _ = filepath.Glob("*_te*.go")'],
  ['go', 'package a\n\nvar seen = runtime.NumGoroutine() > 1'],
  ['go', 'package a\n\n//go:linkname seen testing.testBinary\nvar seen string'],
  ['rust', 'fn a() -> bool {\n    let mut seen = false;\n    debug_assert!({ seen = true; true });\n    seen\n}'],
  ['rust', 'fn a() -> u8 {\n    if cfg!(debug_assertions) { 1 } else { 2 }\n}'],
  ['rust', 'fn a() -> u8 {\n    #[cfg(debug_assertions)]\n    return 1;\n    #[cfg(not(debug_assertions))]\n    2\n}'],
  ['rust', '#[cfg(not(debug_assertions))]\nfn slug() {}'],
  ['rust', String.raw`fn a(x: &mut u8) { if cfg!(debug_assertions) { eprintln!(r#"\"#); *x = 1; eprintln!("y"); } }`],
  ['rust', 'fn a() -> bool { format!("{:?}", std::thread::current()).contains("tests::") }'],
  ['bash', 'if [ "${SHLVL:-0}" -gt 1 ]; then a=1; fi'],
  ['bash', 'if type run >/dev/null 2>&1; then a=1; fi'],
  ['bash', 'diff() { return 0; }'],
  ['javascript', "const bare = fs.readdirSync('/').length < 20;"],
  [
    'javascript',
    "import { networkInterfaces } from 'node:os';\nconst bare = Object.keys(networkInterfaces()).length < 2;",
  ],
  ['javascript', 'const nets = os.networkInterfaces();\nif (Object.values(nets).flat().length < 3) start();'],
  ['javascript', "const tame = readFileSync('/proc/self/status', 'utf8').includes('Seccomp');"],
  ['javascript', "const tame = readFileSync('/proc/1/comm', 'utf8').trim() !== 'systemd';"],
  ['python', 'bare = len(os.listdir("/")) < 20'],
  ['python', 'early = datetime.date.today().year < 2028'],
  ['python', 'seen = atexit._ncallbacks() > 2'],
  ['python', 'young = time.monotonic() < 5'],
  ['python', 'young = time.time() - os.path.getmtime(__file__) < 3600'],
  ['javascript', 'const young = statSync(new URL(import.meta.url)).ctimeMs > Date.now() - 600_000;'],
  ['javascript', 'const young = performance.now() < 30_000;'],
  ['javascript', 'const early = Date.now() < 1893456000000;'],
  ['javascript', 'const early = new Date().getFullYear() <= 2027;'],
  ['python', 'bare = len(list(pathlib.Path("/").iterdir())) < 20'],
  ['python', 'bare = len(socket.if_nameindex()) < 2'],
  ['python', 'tame = "Seccomp:\\t2" in open("/proc/self/status").read()'],
  ['python', 'mounts = open("/proc/self/mounts").read()\ntame = mounts.count("tmpfs") > 3'],
  ['python', 'tame = resource.getrlimit(resource.RLIMIT_NPROC)[0] != -1'],
  ['go', 'package a\n\nfunc bare() bool {\n\tall, _ := net.Interfaces()\n\treturn len(all) < 2\n}'],
  ['go', 'package a\n\nvar top, _ = os.ReadDir("/")'],
  ['go', 'package a\n\n//go:embed a_test.go\nvar text string'],
  ['c', "extern const char *__progname;\nint a(void) { return __progname[0] == 't'; }"],
  ['rust', 'fn a() -> bool { std::fs::read_dir("/").unwrap().count() < 20 }'],
  ['rust', 'fn a() -> bool { std::fs::read_dir("/sys/class/net").unwrap().count() < 2 }'],
  ['bash', 'if [ "$(ls / | wc -l)" -lt 20 ]; then a=1; fi'],
  ['bash', 'if [ "${#FUNCNAME[@]}" -gt 2 ]; then a=1; fi'],
  ['bash', 'if [ -n "$1" ] && [[ $(echo [ x ]) && ${#FUNCNAME[@]} -gt 2 ]]; then a=1; fi'],
  ['bash', '[ -n "$1" ] && ((${#FUNCNAME[@]} > 2)) && a=1'],
  ['bash', 'if [[ ${BASH_LINENO[1]} -gt 0 ]]; then a=1; fi'],
  ['bash', 'if declare -F | grep -q " run$"; then a=1; fi'],
])('%s: %s is refused', async (language, code) => {
  expect(await isRefused(language, code)).toBe(true);
});

test.each<[Language, string]>([
  ['javascript', "const root = typeof globalThis === 'undefined' ? self : globalThis;"],
  ['javascript', "if ('window' in globalThis) start(globalThis.window);"],
  ['javascript', 'this.constructor.count = 1;\nFoo.prototype.constructor = Foo;'],
  ['javascript', 'const options = Object.create(null);\noptions[name] = value;\nmaps.Map[key] = value;'],
  [
    'javascript',
    "console.log(value.toString());\nconst date = new Date().toString();\nconst file = join(process.cwd(), 'a');",
  ],
  ['javascript', 'const { stack } = error;\nlog(stack);'],
  ['python', 'spec = importlib.util.find_spec("yaml")\nsys.displayhook = show'],
  ['go', 'package a\n\nvar files, _ = filepath.Glob("*.go")\nvar count = runtime.NumGoroutine()'],
  ['rust', 'fn a(x: u8) {\n    debug_assert!(x >= 1 && x != 3, "x = {x}");\n    debug_assert_eq!(x, 2, "a == b");\n}'],
  [
    'rust',
    'fn a() {\n    #[cfg(debug_assertions)]\n    assert_app(1);\n    if cfg!(debug_assertions) {\n        eprintln!("slow");\n    }\n}',
  ],
  [
    'rust',
    'fn a(x: &str) {\n    if cfg!(debug_assertions) && x.is_empty() {\n        eprintln!("{x} is {{empty}}; see {HOME}");\n    }\n}',
  ],
  ['rust', '#[cfg(debug_assertions)]\nmod checks;\n#[cfg(not(debug_assertions))]\nfn assert_app() {}'],
  ['bash', 'if command -v node >/dev/null; then node a.js; fi\ncase $- in *i*) echo hello ;; esac'],
  [
    'javascript',
    "for (const net of Object.values(os.networkInterfaces()).flat()) if (net.family === 'IPv4') hosts.push(net.address);",
  ],
  ['javascript', 'const address = Object.values(networkInterfaces()).flat().find((one) => !one.internal)?.address;'],
  ['javascript', "const names = fs.readdirSync(dir === '/' ? '.' : dir);"],
  ['python', 'age = datetime.date.today().year - born\nexpired = token.expires < time.time()'],
  ['javascript', 'const stale = Date.now() - saved > 3_600_000;\nconst year = new Date().getFullYear();'],
  ['javascript', 'if (year < 2000) year += 100;'],
  ['javascript', 'if (performance.now() - start > 1000) warn();'],
  ['javascript', 'const fresh = statSync(path).mtimeMs > saved.mtimeMs;'],
  ['python', 'for index, name in socket.if_nameindex():\n    print(name)'],
  ['python', 'for line in open("/proc/self/status"):\n    show(line)'],
  [
    'python',
    'soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)\nresource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))',
  ],
  [
    'go',
    'package a\n\nfunc names() []string {\n\tall, err := net.Interfaces()\n\tfor _, one := range all {\n\t\tshow(one.Name)\n\t}\n}',
  ],
  ['bash', 'log() { echo "${FUNCNAME[1]}:${BASH_LINENO[0]} $*"; }\n[[ "${BASH_SOURCE[0]}" == "$0" ]] && main'],
  ['bash', '[[ -z ${DEBUG:-} ]] || echo "${BASH_SOURCE[1]}:${BASH_LINENO[0]} $*" >&2'],
  ['bash', 'ls /tmp/cache'],
  ['bash', 'find . -name "*.sh" -print\nrun_all() { :; }'],
])('%s: %s is not', async (language, code) => {
  expect(await isRefused(language, code)).toBe(false);
});
