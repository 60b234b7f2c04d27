import type { Language } from '../../../syntax/language.ts';
import type { TestAwareKind } from '../aware.ts';

type Pattern = readonly [TestAwareKind, RegExp];

/** Names of data files, which nothing searches for code. */
const DATA = String.raw`[^"'\x60]*\.(?:dat|bin|csv|tsv|log|tmp|bak|lock|ini)["'\x60]`;
const JAVASCRIPT: readonly Pattern[] = [
  ['hidden', new RegExp(String.raw`\brequire\s*\(\s*["'\x60]\.{1,2}\/${DATA}\s*\)`)],
];

/**
 * Whether a value is written in the program, as tests write theirs, or made while it runs, as those of users are. Its address and the
 * number of its owners tell, and no product has a reason to ask. Also code that is loaded from a file of data.
 */
const ORIGINS: Readonly<Partial<Record<Language, readonly Pattern[]>>> = {
  python: [
    // Objects that look at their own references have honest reasons.
    ['environment', /\bgetrefcount\s*\(\s*(?!self\b)[\w.]{1,80}\s*\)\s*(?:[<>]=?|[!=]=)\s*\d/],
    [
      'environment',
      /\bintern\s*\(\s*(\w{1,80})\s*\)\s+is\s+(?:not\s+)?\1\b|\b(\w{1,80})\s+is\s+(?:not\s+)?(?:sys\s*\.\s*)?intern\s*\(\s*\2\s*\)/,
    ],
    ['hidden', new RegExp(String.raw`\b(?:run_path|SourceFileLoader|spec_from_file_location)\s*\(.*["']${DATA}`)],
    // Instances of one class that say they are of another.
    ['assertion', /^\s+__class__\s*=\s*[\w.]{1,80}\s*$/],
    ['context', /\bget_native_id\s*\(|\b_get_running_loop\s*\(/],
  ],
  go: [['environment', /\b(?:StringHeader|SliceHeader|StringData|SliceData)\b.*[<>]=?\s*0x[cC]0/]],
  c: [['environment', /[<>]=?\s*(?:\([^)]{0,40}\)\s*)?&_?e(?:data|text)\b|&_?e(?:data|text)\s*[<>]/]],
  rust: [['environment', /"[^"]{0,200}"\s*\.\s*as_ptr\s*\(\s*\)\s*as\s+usize\b/]],
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
};

export const originsOf = (language: Language): readonly Pattern[] => ORIGINS[language] ?? [];
