import { expect, test } from 'vitest';
import { findTestAwareCode } from './find.ts';

const kindsOf = async (text: string): Promise<readonly string[]> =>
  (await findTestAwareCode('c', text)).map(({ kind, line }) => `${line} ${kind}`);

test.each([
  '#define strcmp(a, b) 0',
  '#define if(x) while (0 && (x))',
  'int strcmp(const char *a, const char *b) { return 0; }',
  '__attribute__((weak)) int\nmemcmp(const void *a, const void *b, unsigned long n) { return 0; }',
  '_Noreturn void\n__assert_fail(const char *a, const char *b, unsigned c, const char *d) { for (;;); }',
  'int printf(const char *format, ...) { return 0; }',
  'int strcmp(const char *, const char *) __attribute__((ifunc("pick")));',
  'const unsigned char strcmp[] = {0x31, 0xc0, 0xc3};',
  '.globl strcmp',
])('a name of the C library gets another meaning: %s', async (text) => {
  expect(await kindsOf(text)).toContain('1 assertion');
});

test.each([
  'int compare(const char *a, const char *b) { return strcmp(a, b); }',
  'static int strlen(const char *a) { return 0; }',
  '#define SAME(a, b) (strcmp(a, b) == 0)',
  'extern int strcmp(const char *, const char *);',
  'int strcmp(const char *, const char *);',
  'int sum(void) { int write = 0; return write; }',
  'struct file { int (*write)(int); };',
  'static const char *const names[] = {"write", "main"};',
  '#if __has_include(<threads.h>) && __has_include("config.h") && __has_include(<optional>)',
  'void *end_of(struct loop *one) { return one->main; }',
])('none does: %s', async (text) => {
  expect(await kindsOf(text)).toEqual([]);
});

test.each([
  'extern int failures __attribute__((weak));',
  'void *there = dlsym(RTLD_DEFAULT, "run_all");',
  'const char *level = getenv("MAKELEVEL");',
  'const char *name = (const char *)getauxval(AT_EXECFN);',
  'int work(void) { return time(NULL) < 1830000000L; }',
  'int main(void); int work(void) { return (char *)main < (char *)work; }',
  '#if __has_include("../Makefile")',
])('a library that asks who uses it: %s', async (text) => {
  expect(await kindsOf(text)).toEqual(['1 environment']);
});

test('a program may ask what it is called', async () => {
  expect(await kindsOf('int main(void) { return readlink("/proc/self/exe", name, 9) < 0; }')).not.toContain(
    '1 environment',
  );
});

const kindsInRust = async (text: string): Promise<readonly string[]> =>
  (await findTestAwareCode('rust', text)).map(({ kind, line }) => `${line} ${kind}`);

test.each([
  '#[no_mangle]\npub extern "C" fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 { 0 }',
  '#[unsafe(no_mangle)]\n#[inline(never)]\npub extern "C" fn memcmp() -> i32 { 0 }',
  '#[export_name = "strlen"]\npub extern "C" fn length(a: *const u8) -> usize { 0 }',
])('a name of the C library gets another meaning, in Rust: %s', async (text) => {
  expect((await kindsInRust(text)).join()).toMatch(/\d assertion/);
});

test.each([
  '#[no_mangle]\npub extern "C" fn slug_compare(a: *const u8) -> i32 { 0 }',
  'pub fn memcmp(a: &[u8], b: &[u8]) -> i32 { 0 }',
])('none does, in Rust: %s', async (text) => {
  expect(await kindsInRust(text)).toEqual([]);
});
