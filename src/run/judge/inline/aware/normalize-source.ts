import type { Language } from '../../syntax/language.ts';

/**
 * A source as its interpreter or compiler reads it: Python names in equivalent Unicode letters, and C words that are broken over two lines
 * or begin with an alternative spelling of `#`, are written plainly. Line numbers stay the same.
 */
export function normalizeSource(language: Language, text: string): string {
  if (language === 'python') return text.normalize('NFKC');
  return language === 'c' ? joinedWords(text).replaceAll(/^([ \t]*)(?:%:|\?\?=)/gm, '$1#') : text;
}

const BREAKS = /[\w#](?:\\|\?\?\/)\r?$/;

/** What is left of a line moves up to the word that it belongs to. */
function joinedWords(text: string): string {
  const lines: string[] = [];
  let empty = 0;
  for (const line of text.split('\n')) {
    const last = lines.at(-1);
    if (last !== undefined && BREAKS.test(last) && /^\w/.test(line)) {
      lines[lines.length - 1] = `${last.replace(/(?:\\|\?\?\/)\r?$/, '')}${line}`;
      empty += 1;
    } else {
      lines.push(...Array.from({ length: empty }, () => ''), line);
      empty = 0;
    }
  }
  return [...lines, ...Array.from({ length: empty }, () => '')].join('\n');
}

const DECLARED = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
/** In these, plain letters stand for themselves. */
const PLAIN =
  /^(?:utf-?8(?:-sig)?|(?:us-?)?ascii|latin.*|iso-?8859.*|cp\d+|windows.*|gb\w+|euc.*|koi8.*|big5.*|shift.*|sjis|mac.*)$/;

/** The number of the line in which a Python file declares an encoding that changes what its text means, counted from 1. Null: no such line. */
export function disguisingLine(language: Language, text: string): number | null {
  if (language !== 'python') return null;
  const at = text
    .split('\n', 2)
    .findIndex((line) => !PLAIN.test((DECLARED.exec(line)?.[1] ?? 'utf-8').toLowerCase().replaceAll('_', '-')));
  return at === -1 ? null : at + 1;
}
