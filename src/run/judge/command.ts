/** A test command, read. Known runners are called directly by their driver; all else is a script. */
export type TestCommand =
  | { readonly runner: 'pytest' | 'unittest' | 'node-test'; readonly program: string; readonly args: readonly string[] }
  | {
      readonly runner: 'script';
      readonly program: string;
      readonly args: readonly string[];
      /** Programs that it will look for by their names. */
      readonly alsoStarts?: readonly string[];
    };

const PYTHON = /^(?:.*\/)?python(?:\d+(?:\.\d+)?)?$/;
const NODE = /^(?:.*\/)?node$/;
const PYTEST = /^(?:.*\/)?(?:pytest|py\.test)$/;

/** Null when the text names no command at all. */
export function readTestCommand(text: string): TestCommand | null {
  if (text.trim() === '') return null;
  const words = splitWords(text);
  if (words === null) return { runner: 'script', program: 'sh', args: ['-c', text] };
  const [program = '', ...args] = words;
  if (PYTEST.test(program)) return { runner: 'pytest', program: 'python3', args };
  if (PYTHON.test(program) && args[0] === '-m' && (args[1] === 'pytest' || args[1] === 'unittest')) {
    return { runner: args[1], program, args: args.slice(2) };
  }
  if (NODE.test(program) && args[0] === '--test') return { runner: 'node-test', program, args: args.slice(1) };
  return { runner: 'script', program, args };
}

/** What a shell treats as more than a word: a command with any of these outside quotes is the shell's to read. */
const SHELL_SYNTAX = /[|&;<>()$`*?[\]{}~#!\n]/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The words of a plain command line; null if only a shell could split it. */
export function splitWords(text: string): readonly string[] | null {
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
  const first = words[0];
  return first === undefined || first === '' || ASSIGNMENT.test(first) ? null : words;
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
