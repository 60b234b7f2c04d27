import type { Language } from '../../syntax/language.ts';

const STRING = String.raw`(["'\`])((?:(?!\1)[^\\\n]|\\.)*)\1`;
const OTHER = String.raw`(["'\`])((?:(?!\3)[^\\\n]|\\.)*)\3`;
const JOINED = new RegExp(String.raw`${STRING}\s*(?:\+|\.\.|\.concat\()\s*${OTHER}\)?`);
/** Adjacent strings, which Python and C concatenate. */
const ADJACENT = new RegExp(String.raw`${STRING}\s+${OTHER}`);
const CHARACTER = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/g;
/** `["a", "b"].join("")` and `"".join(["a", "b"])`. */
const LIST = String.raw`[[(]((?:\s*(["'])[^"'\n]*\2(?:\s*,)?)+)\s*[\])]`;
const JOINS = [
  new RegExp(String.raw`${LIST}\s*\.\s*join\s*\(\s*(["'])\3\s*\)`),
  new RegExp(String.raw`(?:""|'')\s*\.\s*join\s*\(\s*${LIST}\s*\)`),
];
/** `"tset"[::-1]` */
const REVERSED = new RegExp(String.raw`${STRING}\s*\[\s*::\s*-1\s*\]`);
const MAX_STEPS = 200;

/** A line of code in which strings that are assembled from constants are joined. */
export function foldConstants(line: string, language: Language): string {
  let folded = line.replaceAll(CHARACTER, (whole, ...codes: (string | undefined)[]) => {
    const code = Number.parseInt(codes.slice(0, 3).find((one) => one !== undefined) ?? '', 16);
    return code > 31 && code < 127 ? String.fromCodePoint(code) : whole;
  });
  const steps: readonly ((text: string) => string)[] = [
    (text) => text.replace(JOINED, (_all, quote, first, _other, second) => `${quote}${first}${second}${quote}`),
    (text) =>
      language === 'python' || language === 'c'
        ? text.replace(ADJACENT, (_all, quote, first, _other, second) => `${quote}${first}${second}${quote}`)
        : text,
    ...JOINS.map((join) => (text: string) => text.replace(join, (_all, list: string) => `"${piecesOf(list)}"`)),
    (text) =>
      text.replace(
        REVERSED,
        (_all, quote: string, word: string) => `${quote}${word.split('').toReversed().join('')}${quote}`,
      ),
  ];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const before = folded;
    for (const fold of steps) folded = fold(folded);
    if (folded === before) break;
  }
  return folded;
}

const piecesOf = (list: string): string => [...list.matchAll(/(["'])([^"'\n]*)\1/g)].map(([, , word]) => word).join('');

/** Rewrites members that are accessed by a constant: `process["env"]`, `getattr(sys, "argv")`. */
export function plainMembers(line: string): string {
  return line
    .replaceAll(/(?<=[\w)\]])\s*(?:\?\.)?\[\s*(["'`])([A-Za-z_$][\w$]*)\1\s*\]/g, '.$2')
    .replaceAll(/\bgetattr\(\s*([\w.()"' ]+?)\s*,\s*(["'])(\w+)\2\s*(?:,[^)]*)?\)/g, '$1.$3');
}
