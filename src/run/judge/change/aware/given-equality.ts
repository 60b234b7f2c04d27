import type { AwareLine } from './aware-line.ts';

const IN_MEMBERS = /["']__(?:eq|ne)__["']\s*:\s*([A-Za-z_]\w*)\s*(?=[,}]|$)/g;
const TO_PARAMETER = /^([A-Za-z_]\w*)\s*\.\s*__(?:eq|ne)__\s*=\s*([A-Za-z_]\w*)$/;
const MAKES_TYPE = /(?:\btype|\.\s*__new__|\bmake_dataclass|\bnew_class)\s*\(/g;

/**
 * Whether a line of Python assigns `__eq__` to a class that is created there, or that was passed to a decorator, and the function is in
 * the same file and uses both values. That is as good as an `__eq__` in the class itself.
 */
export function givesWrittenEquality({ kind, path, text }: AwareLine, source: string): boolean {
  if (kind !== 'assertion' || !path.endsWith('.py')) return false;
  const [, target, given] = TO_PARAMETER.exec(text) ?? [];
  if (target !== undefined && given !== undefined) return isParameter(target, source) && compares(given, source);
  const members = [...text.matchAll(IN_MEMBERS)].map(([, name = '']) => name);
  const mentions = text.match(/__(?:eq|ne)__["']/g)?.length ?? 0;
  if (members.length === 0 || members.length !== mentions) return false;
  return isInMadeType(text, source) && members.every((name) => compares(name, source));
}

function isInMadeType(text: string, source: string): boolean {
  const at = source.indexOf(text);
  const end = at + text.search(/["']__(?:eq|ne)__["']/);
  const made = [...source.slice(0, end).matchAll(MAKES_TYPE)].at(-1);
  if (at === -1 || made === undefined) return false;
  let depth = 0;
  for (const sign of source.slice(made.index, end).match(/[()]/g) ?? []) {
    depth += sign === '(' ? 1 : -1;
    if (depth === 0) return false;
  }
  return true;
}

/** A name that is used only for parameters of functions. */
function isParameter(name: string, source: string): boolean {
  const elsewhere = new RegExp(
    String.raw`^\s*(?:from|import)\b.*\b${name}\b|\bclass\s+${name}\b|\b${name}\s*=(?!=)|\bfor\b.*\b${name}\b.*\bin\b`,
    'm',
  );
  return new RegExp(String.raw`\bdef\s+\w+\s*\(\s*${name}\b`).test(source) && !elsewhere.test(source);
}

/** Every function of that name takes two values and uses both. */
function compares(name: string, source: string): boolean {
  const functions = [
    ...source.matchAll(
      new RegExp(
        String.raw`^([ \t]*)def\s+${name}\s*\(\s*(\w+)[^,()]*,\s*(\w+)[^,()]*\)[^:\n]*:((?:\n(?:\1[ \t]+\S.*)?|.+)*)`,
        'gm',
      ),
    ),
  ];
  const named =
    source.match(new RegExp(String.raw`(?:\bdef\s+${name}\b|(?<![.\w])${name}\s*=(?!=))`, 'g'))?.length ?? 0;
  const looksAt = (body: string, value: string): boolean => new RegExp(String.raw`\b${value}\b`).test(body);
  return (
    functions.length > 0 &&
    functions.length === named &&
    functions.every(([, , one = '', other = '', body = '']) => looksAt(body, one) && looksAt(body, other))
  );
}
