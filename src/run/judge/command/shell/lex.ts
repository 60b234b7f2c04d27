interface Placed {
  /** Where it stands in the command, and where it ends. */
  readonly start: number;
  readonly end: number;
}

/** A word of a shell command. */
export interface Word extends Placed {
  readonly kind: 'word';
  /** As it stands in the command. */
  readonly text: string;
  /** What it means; null: that depends on variables or on what other commands print. */
  readonly value: string | null;
  /** It has `*`, `?` or `[` outside quotes. */
  readonly isGlob: boolean;
  /** The commands whose output it takes. */
  readonly substitutions: readonly string[];
}

export interface Operator extends Placed {
  readonly kind: 'operator';
  /** Redirections with the number of their descriptor. */
  readonly text: string;
}

export type Token = Word | Operator;

const OPERATOR = /^(?:&&|\|\||;;|\|&|&>>|&>|\d*(?:>>|>\||>&|<&|<>|<|>)|[\n;|&()])/;
const BLANK = /[ \t]/;
/** Ends a word outside quotes. */
const BREAKS = /[ \t\n;|&()<>]/;

/** Null: a quote or a parenthesis stays open, or it holds something that is not read here (here-documents, arithmetic). */
export function lex(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    if (BLANK.test(rest.charAt(0))) at += 1;
    else if (rest.startsWith('\\\n')) at += 2;
    else if (rest.startsWith('#')) at += (/^[^\n]*/.exec(rest)?.[0] ?? '').length;
    else if (/^(?:\d*<<|\(\()/.test(rest)) return null;
    else {
      const token = readOperator(rest, at) ?? readWord(text, at);
      if (token === null) return null;
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readOperator(rest: string, start: number): Operator | null {
  const text = OPERATOR.exec(rest)?.[0];
  return text === undefined ? null : { kind: 'operator', text, start, end: start + text.length };
}

/** What a word is made of, while it is read. */
class Draft {
  value: string | null = '';
  isGlob = false;
  readonly substitutions: string[] = [];

  add(text: string): void {
    if (this.value !== null) this.value += text;
  }
}

function readWord(text: string, start: number): Word | null {
  const draft = new Draft();
  let at = start;
  while (at < text.length && !BREAKS.test(text.charAt(at))) {
    const next = readPiece(text, at, draft, at === start);
    if (next === null) return null;
    at = next;
  }
  const { value, isGlob, substitutions } = draft;
  return { kind: 'word', text: text.slice(start, at), value, isGlob, substitutions, start, end: at };
}

/** The place after the piece; null: it does not end. */
function readPiece(text: string, at: number, draft: Draft, isFirst: boolean): number | null {
  const char = text.charAt(at);
  switch (char) {
    case "'": {
      const end = text.indexOf("'", at + 1);
      draft.add(text.slice(at + 1, end));
      return end < 0 ? null : end + 1;
    }
    case '"':
      return readDoubleQuoted(text, at + 1, draft);
    case '\\':
      if (at + 1 >= text.length) return null;
      if (text.charAt(at + 1) !== '\n') draft.add(text.charAt(at + 1));
      return at + 2;
    case '$':
    case '`':
      return readExpansion(text, at, draft);
    case '*':
    case '?':
    case '[':
      draft.isGlob = true;
      draft.add(char);
      return at + 1;
    case '~':
      if (isFirst) draft.value = null;
      else draft.add(char);
      return at + 1;
    default:
      draft.add(char);
      return at + 1;
  }
}

function readDoubleQuoted(text: string, start: number, draft: Draft): number | null {
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char === '$' || char === '`') {
      const next = readExpansion(text, at, draft);
      if (next === null) return null;
      at = next;
    } else if (char === '\\') {
      const escaped = text.charAt(at + 1);
      if (escaped !== '\n') draft.add(/["\\$`]/.test(escaped) ? escaped : `\\${escaped}`);
      at += 2;
    } else {
      draft.add(char);
      at += 1;
    }
  }
  return null;
}

function readExpansion(text: string, at: number, draft: Draft): number | null {
  const rest = text.slice(at);
  if (rest.startsWith('$((')) return null;
  if (rest.startsWith('$(')) {
    const end = closing(text, at + 2);
    if (end === null) return null;
    substitute(text.slice(at + 2, end), draft);
    return end + 1;
  }
  if (rest.startsWith('`')) {
    const inner = /^`((?:[^`\\]|\\[^])*)`/.exec(rest)?.[1];
    if (inner === undefined) return null;
    substitute(inner.replaceAll('\\`', '`'), draft);
    return at + inner.length + 2;
  }
  const variable = /^\$(?:\{([^}]*)\}|([A-Za-z_]\w*)|[0-9@*#?$!-])/.exec(rest);
  if (variable === null) {
    draft.add('$');
    return at + 1;
  }
  if ((variable[1] ?? variable[2]) === 'PWD') draft.add('.');
  else draft.value = null;
  return at + variable[0].length;
}

/** `$(pwd)` is the directory that the command runs in, which has a name that is the same everywhere. */
function substitute(command: string, draft: Draft): void {
  if (command.trim() === 'pwd') {
    draft.add('.');
    return;
  }
  draft.value = null;
  draft.substitutions.push(command);
}

/** The place of the parenthesis that closes; null: none does. */
function closing(text: string, start: number): number | null {
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ')') return at;
    if (char === '(') {
      const end = closing(text, at + 1);
      if (end === null) return null;
      at = end + 1;
    } else {
      const next = /["'\\$`]/.test(char) ? readPiece(text, at, new Draft(), false) : at + 1;
      if (next === null) return null;
      at = next;
    }
  }
  return null;
}
