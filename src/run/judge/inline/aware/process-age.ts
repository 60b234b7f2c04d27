import type { Language } from '../../syntax/language.ts';
import type { TestAwareCode } from './aware.ts';

/** Stores the current time when the program is loaded, or once for all calls. */
const NOTED: Readonly<Partial<Record<Language, RegExp>>> = {
  go: /^(?:var\s+|\t)(\w+)(?:\s+time\.Time)?\s*=\s*time\.Now\(\)/gm,
  rust: /\b(?:static|lazy_static!)[^;]{0,80}?\b(\w+)\s*:[^;=]{0,80}?\b(?:Instant|SystemTime)\b/g,
};
/** Compares the time since then. */
const COMPARED: Readonly<Partial<Record<Language, (name: string) => RegExp>>> = {
  go: (name) =>
    new RegExp(
      String.raw`(?:\bSince\(\s*${name}\s*\)|\.Sub\(\s*${name}\s*\))[\w.()]*\s*[<>]|[<>]=?\s*(?:time\.)?Since\(\s*${name}\s*\)`,
    ),
  rust: () => /\b(?:elapsed|duration_since)\s*\([^)]{0,80}\)[^;{<>]*[<>]=?/,
};

/** A program stores its start time once or twice. */
const MAX_NAMES = 50;

/** Lines that compare the age of the program. For other languages, tests run with clocks set ahead; here no clock can be set. */
export function processAge(code: string, language: Language): readonly TestAwareCode[] {
  const [noted, compared] = [NOTED[language], COMPARED[language]];
  if (noted === undefined || compared === undefined) return [];
  const names = new Set([...code.matchAll(noted)].map(([, name = '']) => name));
  const patterns = [...names].slice(0, MAX_NAMES).map(compared);
  return code.split('\n').flatMap((line, index) => {
    // In Go, entries of a variable list and the first statements of a function are both indented by one tab.
    if (/:=/.test(line) || !patterns.some((pattern) => pattern.test(line))) return [];
    return [{ kind: 'environment' as const, line: index + 1, text: line.trim() }];
  });
}
