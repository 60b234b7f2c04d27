/** What a shell treats as more than a word: a command with any of these outside quotes is the shell's to read. */
const SHELL_SYNTAX = /[|&;<>()$`*?[\]{}~#!\n]/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

export interface CommandLine {
  /** What it sets for its command alone, in order. */
  readonly env: readonly (readonly [string, string])[];
  /** Not empty. */
  readonly words: readonly string[];
}

/** A plain command line, read; null if only a shell could split it. */
export function splitLine(text: string): CommandLine | null {
  const all = splitAll(text);
  if (all === null) return null;
  const start = all.findIndex((word) => !ASSIGNMENT.test(word));
  const words = start < 0 ? [] : all.slice(start);
  if (words.length === 0 || words[0] === '') return null;
  const env = all.slice(0, start).map((word) => {
    const sign = word.indexOf('=');
    return [word.slice(0, sign), word.slice(sign + 1)] as const;
  });
  return { env, words };
}

function splitAll(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (char === "'" || char === '"') {
      const quoted: Quoted | null = char === "'" ? singleQuoted(text, at + 1) : doubleQuoted(text, at + 1);
      if (quoted === null) return null;
      word = (word ?? '') + quoted.value;
      at = quoted.end;
    } else if (char === '\\') {
      at += 1;
      if (at >= text.length || text.charAt(at) === '\n') return null;
      word = (word ?? '') + text.charAt(at);
    } else if (SHELL_SYNTAX.test(char)) {
      return null;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

interface Quoted {
  readonly value: string;
  readonly end: number;
}

function singleQuoted(text: string, start: number): Quoted | null {
  const end = text.indexOf("'", start);
  return end < 0 ? null : { value: text.slice(start, end), end };
}

function doubleQuoted(text: string, start: number): Quoted | null {
  let value = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { value, end: at };
    if (char === '$' || char === '`' || char === '!') return null;
    if (char !== '\\') {
      value += char;
      continue;
    }
    at += 1;
    const escaped = text.charAt(at);
    value += escaped === '"' || escaped === '\\' || escaped === '$' || escaped === '`' ? escaped : `\\${escaped}`;
  }
  return null;
}
