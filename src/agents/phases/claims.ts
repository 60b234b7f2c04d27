/** The last claim or verdict of a protocol file counts; lines in code fences do not. */

const CLAIM = /^CLAIM ([0-9a-f]{40}|[0-9a-f]{64})$/;
const VERDICT = /^VERDICT (PASS|FAIL) ([0-9a-f]{40}|[0-9a-f]{64})$/;
const WAITING = /^WAITING until (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Lines outside of fenced code. A fence ends with as many of its own characters, or with the text. */
function proseLines(text: string): string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence === null && mark !== null) fence = mark;
    else if (fence === null) lines.push(line);
    else if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
  }
  return lines;
}

function lastMatch(text: string, pattern: RegExp): RegExpExecArray | null {
  for (const line of proseLines(text).toReversed()) {
    const match = pattern.exec(line);
    if (match !== null) return match;
  }
  return null;
}

/** The commit that STATUS claims. */
export function claimIn(status: string): string | null {
  return lastMatch(status, CLAIM)?.[1] ?? null;
}

export interface ReviewVerdict {
  readonly verdict: 'PASS' | 'FAIL';
  readonly commit: string;
}

export function verdictIn(review: string): ReviewVerdict | null {
  const [, verdict, commit = ''] = lastMatch(review, VERDICT) ?? [];
  if (verdict !== 'PASS' && verdict !== 'FAIL') return null;
  return { verdict, commit };
}

/** Until when the builder says that it waits. */
export function declaredWait(status: string): Date | null {
  const [, time = ''] = lastMatch(status, WAITING) ?? [];
  return time === '' ? null : new Date(time);
}
