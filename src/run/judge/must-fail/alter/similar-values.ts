import type { Draw } from '../draw.ts';

/** Altered expected values that look like plausible results, so that a forger cannot recognise them. */

/** Only for digits. Null: not a plain decimal number. `downward`: the type might not hold a larger value. */
export function similarInteger(text: string, draw: Draw, downward = false): string | null {
  if (!/^\d+$/.test(text)) return null;
  const value = BigInt(text);
  if (text.length > 15) return `${text[0] === '1' ? '2' : Number(text[0]) - 1}${text.slice(1)}`;
  const step = BigInt(draw.between(1, 3));
  if (value >= step && (downward || draw.heads())) return String(value - step);
  return downward && value > 0n ? String(value - 1n) : String(value + step);
}

/** Null: not a plain decimal number with a point. */
export function similarDecimal(text: string, draw: Draw): string | null {
  const [, whole, rest] = /^(\d+)(\.\d+)$/.exec(text) ?? [];
  if (whole === undefined || rest === undefined) return null;
  const near = similarInteger(whole, draw);
  return near === null ? null : `${near}${rest}`;
}

/** An escape of any of the languages, which changes its meaning with its letters. */
const ESCAPE = /\\(?:x[0-9a-f]{0,2}|u\{[^}]*\}|u[0-9a-f]{0,4}|U[0-9a-f]{0,8}|N\{[^}]*\}|[0-7]{1,3}|[\s\S])/gi;

/**
 * `text` is the source between quotes. Swaps two neighbouring letters, or else changes one: a text of another length would differ even
 * for code that no longer compares letters. Letters that differ only by case are not swapped: some comparisons ignore case.
 */
export function similarText(text: string, draw: Draw): string {
  const escapes = [...text.matchAll(ESCAPE)].map((match) => [match.index, match.index + match[0].length] as const);
  const free = (at: number): boolean => !escapes.some(([start, end]) => at >= start && at < end);
  const letters = [...text.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index).filter(free);
  const pairs = letters.filter((at) => {
    const next = letters.includes(at + 1) ? text[at + 1] : undefined;
    return next !== undefined && next.toLowerCase() !== text[at]?.toLowerCase();
  });
  const pair = draw.pick(pairs);
  if (pair !== undefined) return `${text.slice(0, pair)}${text[pair + 1]}${text[pair]}${text.slice(pair + 2)}`;
  const one = draw.pick(letters);
  if (one === undefined) return `${text}${'aeinrst'[draw.below(7)]}`;
  return text.slice(0, one) + nextLetter(text[one] ?? 'a') + text.slice(one + 1);
}

function nextLetter(letter: string): string {
  if (/[0-9]/.test(letter)) return String((Number(letter) + 1) % 10);
  if (/z/i.test(letter)) return letter === 'z' ? 'y' : 'Y';
  return String.fromCodePoint((letter.codePointAt(0) ?? 96) + 1);
}
