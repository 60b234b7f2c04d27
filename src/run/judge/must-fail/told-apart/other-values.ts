import { Draw } from '../draw.ts';
import { similarText } from '../alter/similar-values.ts';

/**
 * The sources of two values near a literal's, one smaller and one larger if it is a number: a product that rounds or limits its values
 * still distinguishes one of them. Empty: there are none.
 */
export function otherValues(literal: string, seed: string): readonly string[] {
  const [, whole, rest = ''] = /^(\d+)((?:\.\d+)?(?:_?[a-z]\w*)?)$/.exec(literal) ?? [];
  if (whole !== undefined) return /^0\d/.test(whole) || whole.length > 15 ? [] : numbersNear(Number(whole), rest);
  if (/^(?:true|false)$/i.test(literal)) return [FLIPPED[literal] ?? ''];
  const [, start = '', text = '', end = ''] =
    /^([a-z]*#*(?:"""|'''|["'`]))([\s\S]*?)((?:"""|'''|["'`])#*)$/i.exec(literal) ?? [];
  if (!/[a-z0-9]/i.test(text) || /f/i.test(start) || text.includes('${')) return [];
  const near = ['one', 'other'].map(
    (label) => `${start}${similarText(text, new Draw(seed, `${label} ${literal}`))}${end}`,
  );
  return [...new Set(near)];
}

const FLIPPED: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

const numbersNear = (value: number, rest: string): readonly string[] =>
  (value < 2 ? [value + 1, value + 2] : [value - 1, value + 2]).map((near) => `${near}${rest}`);
