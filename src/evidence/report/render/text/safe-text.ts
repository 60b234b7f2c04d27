/**
 * What must never reach a reader as it is: controls (so every terminal escape), marks that reorder or hide text, line
 * separators, halves of surrogate pairs. The two selectors that only choose between text and emoji form may stay.
 */
const TREACHEROUS = /(?!\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Many lines: line feeds and tabs keep their meaning, everything else treacherous becomes visible. */
export function safeText(text: string): string {
  return text.replace(TREACHEROUS, (char) => (char === '\n' || char === '\t' ? char : symbolOf(char)));
}

/** One line, whatever the text holds. */
export function safeLine(text: string): string {
  return text.replace(TREACHEROUS, symbolOf);
}

const CONTROL_NAMES = [
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI',
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US',
].flatMap((names) => names.split(' '));

/** Names in plain letters: fonts of terminals and phones often lack the pictures that Unicode has for controls. */
function symbolOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const name = code === 0x7f ? 'DEL' : CONTROL_NAMES[code];
  return `‹${name ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}›`;
}
