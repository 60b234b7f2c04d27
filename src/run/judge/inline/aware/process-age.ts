import type { Language } from '../../syntax/language.ts';
import type { TestAwareCode } from './aware.ts';

/** A moment that is noted when the program is loaded, or once for all calls. */
const NOTED: Readonly<Partial<Record<Language, RegExp>>> = {
  go: /^(?:var\s+|\t)(\w+)(?:\s+time\.Time)?\s*=\s*time\.Now\(\)/gm,
  rust: /\b(?:static|lazy_static!)[^;]{0,80}?\b(\w+)\s*:[^;=]{0,80}?\b(?:Instant|SystemTime)\b/g,
};
/** How long ago it was, compared. */
const COMPARED: Readonly<Partial<Record<Language, (name: string) => RegExp>>> = {
  go: (name) =>
    new RegExp(
      String.raw`(?:\bSince\(\s*${name}\s*\)|\.Sub\(\s*${name}\s*\))[\w.()]*\s*[<>]|[<>]=?\s*(?:time\.)?Since\(\s*${name}\s*\)`,
    ),
  rust: () => /\b(?:elapsed|duration_since)\s*\([^)]{0,80}\)[^;{<>]*[<>]=?/,
};

/** A program notes when it began once or twice. */
const MAX_NAMES = 50;

/** Lines that compare how old the program is. Elsewhere tests are called with clocks that are ahead; here no clock can be set. */
export function processAge(code: string, language: Language): readonly TestAwareCode[] {
  const [noted, compared] = [NOTED[language], COMPARED[language]];
  if (noted === undefined || compared === undefined) return [];
  const names = new Set([...code.matchAll(noted)].map(([, name = '']) => name));
  const patterns = [...names].slice(0, MAX_NAMES).map(compared);
  return code.split('\n').flatMap((line, index) => {
    // In Go one tab stands before what belongs to a list of variables, and before the first statements of a function too.
    if (/:=/.test(line) || !patterns.some((pattern) => pattern.test(line))) return [];
    return [{ kind: 'environment' as const, line: index + 1, text: line.trim() }];
  });
}
