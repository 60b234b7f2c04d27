/**
 * Characters that must never be displayed as they are: controls (hence every terminal escape), characters that reorder
 * or hide text, line separators, lone surrogates. The two variation selectors that only choose between text and emoji
 * style are allowed.
 */
const TREACHEROUS = /(?!\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Multi-line text: keeps line feeds and tabs and makes every other unsafe character visible. */
export function safeText(text: string): string {
  return text.replace(TREACHEROUS, (char) => (char === '\n' || char === '\t' ? char : symbolOf(char)));
}

/** Always a single line. */
export function safeLine(text: string): string {
  return text.replace(TREACHEROUS, symbolOf);
}

const CONTROL_NAMES = [
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI',
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US',
].flatMap((names) => names.split(' '));

/** Names in plain letters: fonts on terminals and phones often lack Unicode's control pictures. */
function symbolOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const name = code === 0x7f ? 'DEL' : CONTROL_NAMES[code];
  return `‹${name ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}›`;
}
