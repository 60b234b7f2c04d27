const OPERATORS = /&&|\|\||[;|&\n]/y;
const KEYWORDS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'while',
  'until',
  'for',
  '{',
  '}',
  '(',
  ')',
  '!',
]);

/** The simple commands of a shell text, each as its words, variables that it sets first. Not a shell: variables stay as they are, and what is nested is flattened. */
export function splitCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null && !(words.length === 0 && KEYWORDS.has(word))) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    OPERATORS.lastIndex = at;
    const operator = OPERATORS.exec(text)?.[0];
    if (operator !== undefined) {
      endCommand();
      at += operator.length;
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (char === ' ' || char === '\t' || char === '\r') {
      endWord();
      at += 1;
    } else if (char === '"' || char === "'") {
      const end = text.indexOf(char, at + 1);
      const stop = end < 0 ? text.length : end;
      word = (word ?? '') + text.slice(at + 1, stop);
      at = stop + 1;
    } else {
      word = (word ?? '') + (char === '\\' ? text.charAt(at + 1) : char);
      at += char === '\\' ? 2 : 1;
    }
  }
  endCommand();
  return commands;
}
