import type { Ecosystem } from '../facts.ts';

const PYTHON = [
  /^\s*(?:import|from)\s+(?:unittest|pytest|_pytest|nose2?|hypothesis|testtools|assertpy|hamcrest)\b/m,
  /\bself\.assert[A-Z]\w*\s*\(|\bself\.fail\s*\(/,
  /\bdef\s+(?:assert|expect)_?\w*\s*\(/,
  /\braise\s+AssertionError\b/,
  // Checks of arguments (`assert isinstance(...)`, `assert x is not None`) are common in products.
  /^\s*assert\b(?!\s*\(?\s*(?:isinstance|issubclass|callable|hasattr|all|any|False|0|not\s+isinstance)\b)(?!.*\bis\s+(?:not\s+)?None\b)(?!.*\blen\s*\()/m,
];
const JAVASCRIPT = [
  /(?:from|require\s*\(|import\s*\(?)\s*["'](?:node:)?(?:test|assert)(?:\/\w+)?["']/,
  /(?:from|require\s*\(|import\s*\(?)\s*["'](?:vitest|@?jest[^"']*|chai|mocha|ava|tape?|uvu[^"']*|should|expect|power-assert|sinon|supertest|bun:test)["']/,
  /\bexpect\s*\([^)\n]*\)\s*\.|\.should\.\w+|\bassert(?:\.\w+)?\s*\(|\bAssertionError\b/,
  /\b(?:function|const|let)\s+(?:assert|expect|should)\w*\b|\bexports?\.(?:assert|expect|should)\w*/,
  /^\s*(?:describe|it|test)(?:\.\w+)*\s*\(\s*["'`]/m,
];
const GO = [/^\s*(?:import\s+)?(?:\w+\s+)?"testing"/m, /\bt\.(?:Fatal|Error|Fail|Helper|Skip)(?:f|Now)?\s*\(/];
const RUST = [/#\[(?:\w+::)?test\b/, /#\[cfg\(test\)\]/];
const SHELL = [
  /\bassert\w*\b/i,
  /\b(?:not )?ok\b.*\d|\bnot ok\b/,
  /\b(?:PASS|FAIL)(?:ED)?\b/,
  /^\s*@test\b/m,
  /\bshunit2?\b/,
  /\bexpected\b/i,
];
const OTHER = [/\bassert\w*\b/i, /\bexpect(?:s|ed|ation)?\b/i, /\bshould\b/, /\b(?:PASS|FAIL)(?:ED)?\b/];

const WORDS: Readonly<Record<Ecosystem, readonly RegExp[]>> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  go: GO,
  rust: RUST,
  // assert.h is used by products as much as by tests: for these languages build files decide, not words.
  c: [],
  java: [],
  shell: SHELL,
  other: OTHER,
};

const COMMENT_LINE = /^\s*(?:#(?!\[)|\/\/|\*|\/\*).*$/gm;

/** The first piece of a source that sounds like a test; null if none does. Lines that are comments do not count. */
export function assertionWord(ecosystem: Ecosystem, text: string): string | null {
  const code = text.replaceAll(COMMENT_LINE, '');
  for (const pattern of WORDS[ecosystem]) {
    const found = pattern.exec(code)?.[0].trim();
    if (found !== undefined) return found.split('\n')[0] ?? found;
  }
  return null;
}
