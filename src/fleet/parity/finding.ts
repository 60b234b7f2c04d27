/** One thing that was compared between a live project and its staged copy. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'same' | 'different' | 'not comparable';
  /** What differs, or why it cannot be compared; empty for `same`. */
  readonly lines: readonly string[];
}

export const same = (what: string): Finding => ({ what, verdict: 'same', lines: [] });
export const different = (what: string, ...lines: readonly string[]): Finding => ({
  what,
  verdict: 'different',
  lines,
});
export const notComparable = (what: string, why: string): Finding => ({
  what,
  verdict: 'not comparable',
  lines: [why],
});

/** Compared as bytes; the first difference with its place. */
export function compareTexts(what: string, live: string, staged: string): Finding {
  if (live === staged) return same(what);
  const a = live.split('\n');
  const b = staged.split('\n');
  let line = 0;
  while (line < Math.min(a.length, b.length) && a[line] === b[line]) line += 1;
  const [left, right] = [a[line], b[line]];
  const column = firstDifference(left ?? '', right ?? '');
  return different(
    what,
    `line ${line + 1}, column ${column + 1}:`,
    `- ${left ?? '(ends here)'}`,
    `+ ${right ?? '(ends here)'}`,
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
