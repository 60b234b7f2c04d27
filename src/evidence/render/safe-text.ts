/**
 * What must never reach a reader as it is: controls (so every terminal escape), marks that reorder or hide text, line
 * separators, halves of surrogate pairs. The two selectors that only choose between text and emoji form may stay.
 */
const TREACHEROUS = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Many lines: line feeds and tabs keep their meaning, everything else treacherous becomes visible. */
export function safeText(text: string): string {
  return text.replace(TREACHEROUS, (char) => (char === '\n' || char === '\t' ? char : symbolOf(char)));
}

/** One line, whatever the text holds. */
export function safeLine(text: string): string {
  return text.replace(TREACHEROUS, symbolOf);
}

function symbolOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
