import type { Reading } from '../formats/format.ts';
import type { Value } from '../value.ts';

/** The format of yarn's first version: a key and a colon, its settings indented by two, lists of dependencies by four. */
export function readClassicYarn(text: string): Reading {
  const entries = new Map<string, Value>();
  let entry: Map<string, Value> | null = null;
  let list: Map<string, Value> | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fault = { fault: `line ${index + 1} is no line of a yarn.lock file` };
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const words = wordsOf(line.trim().replace(/:$/, ''));
    const [first, second, more] = words ?? [];
    if (words === null || first === undefined) return fault;
    if (indent === 0) {
      if (!line.endsWith(':')) return fault;
      const key = words.join(', ');
      if (entries.has(key)) return { fault: `has the key ${JSON.stringify(key)} twice` };
      entries.set(key, (entry = new Map<string, Value>()));
      list = null;
    } else if (indent === 2 && entry !== null) {
      if (line.endsWith(':') && second === undefined) entry.set(first, (list = new Map<string, Value>()));
      else if (second === undefined || more !== undefined || entry.has(first)) return fault;
      else entry.set(first, second);
    } else if (indent === 4 && list !== null && second !== undefined && more === undefined) {
      list.set(first, second);
    } else {
      return fault;
    }
  }
  return { table: entries };
}

/** Words, with or without quotes, with blanks or commas between them. */
function wordsOf(line: string): readonly string[] | null {
  const words: string[] = [];
  let rest = line;
  while (rest !== '') {
    const word = /^"((?:[^"\\]|\\.)*)"|^[^\s,"]+/.exec(rest);
    if (word === null) return null;
    words.push(word[1] ?? word[0]);
    rest = rest.slice(word[0].length).replace(/^[\s,]+/, '');
  }
  return words;
}
