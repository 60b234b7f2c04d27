import { expect, test } from 'vitest';
import type { Language } from '../../syntax/language.ts';
import { actsOnTests } from './aware.ts';
import { findTestAwareCode } from './find.ts';

const isRefused = async (language: Language, code: string): Promise<boolean> =>
  (await findTestAwareCode(language, `${code}\n`)).some((one) => actsOnTests(one, false));

test.each<[Language, string]>([
  ['go', 'package a\n\nfunc len(v any) int { return 2 }'],
  ['go', 'package a\n\nconst true = 0 == 1'],
  ['go', 'package a\n\nvar (\n\tx = 1\n\tnil = &x\n)'],
  ['go', 'package a\n\ntype string = [0]int'],
  ['rust', 'pub struct String;'],
  ['rust', 'mod own {\n    pub struct Vec;\n}\npub use own::*;'],
  ['go', 'package a\n\nvar begun = time.Now()\n\nfunc F() bool {\n\treturn time.Since(begun) < 20*time.Second\n}'],
  [
    'go',
    'package a\n\nvar (\n\tbegun = time.Now()\n)\n\nfunc F() bool {\n\treturn time.Now().Sub(begun).Seconds() > 9\n}',
  ],
  [
    'rust',
    'thread_local!(static BEGUN: Instant = Instant::now());\nfn f() -> bool {\n    BEGUN.with(|b| b.elapsed().as_secs() > 30)\n}',
  ],
  [
    'rust',
    'static BEGUN: OnceLock<Instant> = OnceLock::new();\nfn f() -> bool {\n    BEGUN.get_or_init(Instant::now).elapsed() > LONG\n}',
  ],
])('%s: refused: %s', async (language, code) => expect(await isRefused(language, code)).toBe(true));

test.each<[Language, string]>([
  ['go', 'package a\n\nfunc f() int {\n\tlen := 2\n\treturn len\n}'],
  ['go', 'package a\n\ntype T struct{}\n\nfunc (T) string() string { return "" }'],
  ['go', 'package a\n\nfunc max(a, b int) int { return a }'],
  ['go', 'package a\n\nfunc f() bool {\n\tbegun := time.Now()\n\twork()\n\treturn time.Since(begun) < time.Second\n}'],
  ['go', 'package a\n\nvar begun = time.Now()\n\nfunc Uptime() time.Duration {\n\treturn time.Since(begun)\n}'],
  ['rust', 'pub type Result<T> = std::result::Result<T, Error>;'],
  ['rust', 'impl Iterator for A {\n    type Item = String;\n}'],
  ['rust', 'fn f() -> bool {\n    let begun = Instant::now();\n    begun.elapsed() > LONG\n}'],
])('%s: fine: %s', async (language, code) => expect(await isRefused(language, code)).toBe(false));
