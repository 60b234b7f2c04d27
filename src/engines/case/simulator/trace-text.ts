const MOST = 500;
const CUT = '…[truncated]';
const SECRET = /((?:token|key|secret|password|authorization|credential)\\*["']?\s*[:=]\s*\\*["']?)[^"'{},\n]+/gi;

/** What the event log shows of a tool's arguments and results: short, and with likely secrets masked. */
export function traceText(value: unknown): string {
  const text = JSON.stringify(value).replace(SECRET, '$1***');
  return text.length <= MOST ? text : text.slice(0, MOST - CUT.length) + CUT;
}
