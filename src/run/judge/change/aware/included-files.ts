import { extensionOf, nameOf } from '../../deciding/path-parts.ts';
import { type Language, languageOf } from '../../syntax/language.ts';

type Read = (path: string) => string | null;

/** How a source brings in the text of another file, whatever that is called. */
const INCLUDES: Readonly<Partial<Record<Language, RegExp>>> = {
  c: /^[ \t]*(?:#|%:)[ \t]*include(?:_next)?[ \t]*["<]([^">\n]+)[">]/gm,
  rust: /\binclude!\s*[({[]\s*(?:concat!\s*\([^"]*)?"([^"]+)"|#\[\s*(?:cfg_attr\s*\([^\]]*)?path\s*=\s*"([^"]+)"/g,
  bash: /(?:^|[\s;&|({])(?:\.|source)[ \t]+["']?([^\s"';&|)]+)/gm,
};

/** Written by people all the same: the assembler is given them by the C compiler, or by go. */
const ASSEMBLER = new Set(['s', 'asm']);

/**
 * The languages of files whose names do not tell, by path: they are read as the source that includes them. `sources`: files that may
 * include them.
 */
export function includedLanguages(
  paths: readonly string[],
  sources: Iterable<string>,
  read: Read,
): ReadonlyMap<string, Language> {
  const odd = paths.filter((path) => languageOf(path, read(path) ?? '') === null);
  const found = new Map<string, Language>();
  for (const path of odd) if (ASSEMBLER.has(extensionOf(path).toLowerCase())) found.set(path, 'c');
  const left = odd.filter((path) => !found.has(path));
  if (left.length === 0) return found;
  for (const source of new Set(sources)) {
    const language = languageOf(source);
    const pattern = language === null ? undefined : INCLUDES[language];
    if (language === null || pattern === undefined) continue;
    const names = new Set([...(read(source) ?? '').matchAll(pattern)].map((one) => nameOf(one[1] ?? one[2] ?? '')));
    for (const path of left) if (names.has(nameOf(path))) found.set(path, language);
  }
  return found;
}
