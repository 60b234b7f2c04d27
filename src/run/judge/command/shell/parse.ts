import { lex, type Token, type Word } from './lex.ts';
import type { AndOr, Redirect, Sequence, ShellNode, Simple } from './tree.ts';

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
const REDIRECT = /[<>]/;
/** Words that end a part of a compound command. */
const CLOSERS = new Set(['}', 'then', 'else', 'elif', 'fi', 'do', 'done', 'esac']);

/** Null: it is not a command, or one that is not read here. */
export function parseShell(text: string): Sequence | null {
  const tokens = lex(text);
  if (tokens === null) return null;
  const parser = new Parser(text, tokens);
  try {
    return parser.whole();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  whole(): Sequence {
    const sequence = this.#sequence('same');
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return sequence;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #isOperator(...texts: readonly string[]): boolean {
    const token = this.#peek();
    return token?.kind === 'operator' && texts.includes(token.text);
  }

  /** Reserved words count only unquoted, where a command can start. */
  #isReserved(text: string): boolean {
    const token = this.#peek();
    return token?.kind === 'word' && token.text === text;
  }

  #expect(text: string): void {
    if (!this.#isOperator(text) && !this.#isReserved(text)) throw new Unreadable();
    this.#at += 1;
  }

  #textFrom(start: number): string {
    return this.#source.slice(this.#tokens[start]?.start, this.#tokens[this.#at - 1]?.end);
  }

  /** Where the last token that was taken ends. */
  #place(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  #skipBreaks(): void {
    while (this.#isOperator('\n')) this.#at += 1;
  }

  #sequence(scope: Sequence['scope']): Sequence {
    const start = this.#at;
    const items: Sequence['items'][number][] = [];
    this.#skipBreaks();
    while (!this.#atEnd()) {
      const node = this.#andOr();
      const inBackground = this.#isOperator('&');
      items.push({ node, inBackground });
      if (!this.#isOperator(';', '\n', '&')) break;
      this.#at += 1;
      this.#skipBreaks();
    }
    return { kind: 'sequence', text: this.#textFrom(start), scope, items };
  }

  #atEnd(): boolean {
    const token = this.#peek();
    if (token === undefined) return true;
    return token.kind === 'operator' ? token.text === ')' || token.text === ';;' : CLOSERS.has(token.text);
  }

  #andOr(): ShellNode {
    const start = this.#at;
    const first = this.#pipeline();
    const rest: AndOr['rest'][number][] = [];
    while (this.#isOperator('&&', '||')) {
      const operator = this.#isOperator('&&') ? '&&' : '||';
      this.#at += 1;
      this.#skipBreaks();
      rest.push({ operator, node: this.#pipeline() });
    }
    return rest.length === 0 ? first : { kind: 'and_or', text: this.#textFrom(start), first, rest };
  }

  #pipeline(): ShellNode {
    const start = this.#at;
    let negated = false;
    while (this.#isReserved('!')) {
      negated = !negated;
      this.#at += 1;
    }
    const stages = [this.#command()];
    const ends = [this.#place()];
    while (this.#isOperator('|', '|&')) {
      this.#at += 1;
      this.#skipBreaks();
      stages.push(this.#command());
      ends.push(this.#place());
    }
    const [only] = stages;
    if (only !== undefined && stages.length === 1 && !negated) return only;
    return { kind: 'pipeline', text: this.#textFrom(start), negated, stages, ends };
  }

  #command(): ShellNode {
    const node = this.#compound() ?? this.#definition() ?? this.#simple();
    // Of a compound command: where its output goes does not matter here.
    if (node.kind !== 'simple') this.#redirects();
    return node;
  }

  #compound(): ShellNode | null {
    const start = this.#at;
    const token = this.#peek();
    if (token === undefined) return null;
    if (this.#isOperator('(')) return this.#enclosed('(', ')', 'subshell');
    if (token.kind !== 'word') return null;
    switch (token.text) {
      case '{':
        return this.#enclosed('{', '}', 'same');
      case 'if':
        return this.#if(start);
      case 'while':
      case 'until': {
        this.#at += 1;
        const condition = this.#sequence('same');
        return { kind: 'loop', condition, body: this.#doDone(), text: this.#textFrom(start) };
      }
      case 'for':
        while (!this.#isReserved('do')) {
          if (this.#at >= this.#tokens.length) throw new Unreadable();
          this.#at += 1;
        }
        return { kind: 'loop', condition: null, body: this.#doDone(), text: this.#textFrom(start) };
      case 'case':
        return this.#case(start);
      default:
        return null;
    }
  }

  #enclosed(open: string, close: string, scope: Sequence['scope']): ShellNode {
    this.#expect(open);
    const body = this.#sequence(scope);
    this.#expect(close);
    return body;
  }

  #doDone(): ShellNode {
    this.#expect('do');
    const body = this.#sequence('same');
    this.#expect('done');
    return body;
  }

  #if(start: number): ShellNode {
    const conditions: ShellNode[] = [];
    const bodies: ShellNode[] = [];
    do {
      this.#at += 1;
      conditions.push(this.#sequence('same'));
      this.#expect('then');
      bodies.push(this.#sequence('same'));
    } while (this.#isReserved('elif'));
    if (this.#isReserved('else')) {
      this.#at += 1;
      bodies.push(this.#sequence('same'));
    }
    this.#expect('fi');
    return { kind: 'condition', conditions, bodies, text: this.#textFrom(start) };
  }

  #case(start: number): ShellNode {
    this.#at += 2;
    this.#skipBreaks();
    this.#expect('in');
    const bodies: ShellNode[] = [];
    this.#skipBreaks();
    while (!this.#isReserved('esac')) {
      while (!this.#isOperator(')')) {
        if (this.#at >= this.#tokens.length) throw new Unreadable();
        this.#at += 1;
      }
      this.#at += 1;
      bodies.push(this.#sequence('same'));
      if (this.#isOperator(';;')) this.#at += 1;
      this.#skipBreaks();
    }
    this.#expect('esac');
    return { kind: 'condition', conditions: [], bodies, text: this.#textFrom(start) };
  }

  /** `name() { ... }`. */
  #definition(): ShellNode | null {
    const start = this.#at;
    const [name, open, close] = this.#tokens.slice(start, start + 3);
    if (name?.kind !== 'word' || open?.text !== '(' || close?.text !== ')' || open.kind !== 'operator') return null;
    this.#at += 3;
    this.#skipBreaks();
    const body = this.#command();
    return { kind: 'definition', body, text: this.#textFrom(start) };
  }

  #simple(): Simple {
    const start = this.#at;
    const assignments: Simple['assignments'][number][] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [...this.#redirects()];
    for (let token = this.#peek(); token?.kind === 'word'; token = this.#peek()) {
      this.#at += 1;
      const name = words.length === 0 ? ASSIGNMENT.exec(token.text)?.[1] : undefined;
      if (name === undefined) words.push(token);
      else assignments.push({ name, value: afterSign(token) });
      // Between these, `&&`, `<` and parentheses mean something else.
      if (token.text === '[[' && words.length === 1) this.#untilDoubleBracket(words);
      redirects.push(...this.#redirects());
    }
    if (words.length === 0 && assignments.length === 0 && redirects.length === 0) throw new Unreadable();
    return { kind: 'simple', text: this.#textFrom(start), assignments, words, redirects };
  }

  #untilDoubleBracket(words: Word[]): void {
    for (;;) {
      const token = this.#peek();
      if (token === undefined) throw new Unreadable();
      this.#at += 1;
      if (token.kind === 'word') words.push(token);
      if (token.text === ']]') return;
    }
  }

  #redirects(): Redirect[] {
    const found: Redirect[] = [];
    for (let token = this.#peek(); token?.kind === 'operator' && REDIRECT.test(token.text); token = this.#peek()) {
      this.#at += 1;
      const target = this.#peek();
      if (target?.kind !== 'word') throw new Unreadable();
      this.#at += 1;
      found.push({ operator: token.text, target });
    }
    return found;
  }
}

function afterSign(word: Word): Word {
  const at = word.text.indexOf('=') + 1;
  const value = word.value === null ? null : word.value.slice(word.value.indexOf('=') + 1);
  return { ...word, text: word.text.slice(at), value };
}
