const MOST = 500;
const CUT = '…[truncated]';
const SECRET = /((?:token|key|secret|password|authorization|credential)\\*["']?\s*[:=]\s*\\*["']?)[^"'{},\n]+/gi;

/** A tool's arguments or result for the event log, shortened and with likely secrets masked. */
export function traceText(value: unknown): string {
  const text = JSON.stringify(value).replace(SECRET, '$1***');
  return text.length <= MOST ? text : text.slice(0, MOST - CUT.length) + CUT;
}
