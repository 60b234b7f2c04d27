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
])('a name of the C library gets another meaning: %s', async (text) => {
  expect(await kindsOf(text)).toContain('1 assertion');
});

test.each([
  'int compare(const char *a, const char *b) { return strcmp(a, b); }',
  'static int strlen(const char *a) { return 0; }',
  '#define SAME(a, b) (strcmp(a, b) == 0)',
  'extern int strcmp(const char *, const char *);',
])('none does: %s', async (text) => {
  expect(await kindsOf(text)).toEqual([]);
});

test.each([
  'extern int failures __attribute__((weak));',
  'void *there = dlsym(RTLD_DEFAULT, "run_all");',
  'const char *level = getenv("MAKELEVEL");',
  'const char *name = (const char *)getauxval(AT_EXECFN);',
  'int work(void) { return time(NULL) < 1830000000L; }',
])('a library that asks who uses it: %s', async (text) => {
  expect(await kindsOf(text)).toEqual(['1 environment']);
});

test('a program may ask what it is called', async () => {
  expect(await kindsOf('int main(void) { return readlink("/proc/self/exe", name, 9) < 0; }')).not.toContain(
    '1 environment',
  );
});
