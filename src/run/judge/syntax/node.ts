/**
 * A parsed file as plain objects. Offsets count UTF-16 code units, as JavaScript strings do: `text.slice(node.start, node.end)`
 * is the node's text whatever letters stand before it.
 */
export interface SyntaxTree {
  readonly text: string;
  readonly root: SyntaxNode;
  /** The text has a syntax error somewhere. The nodes around it are there all the same. */
  readonly broken: boolean;
}

const EXTRAS = new Set(['comment', 'line_comment', 'block_comment', 'html_comment', 'line_continuation']);

export class SyntaxNode {
  readonly type: string;
  /** False for keywords and punctuation. */
  readonly named: boolean;
  /** The part it plays in its parent: `name`, `body`, `left` */
  readonly role: string | null;
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | null;
  /** Its place among its parent's children. */
  readonly index: number;
  readonly children: readonly SyntaxNode[];
  /** The text of the whole file. */
  readonly source: string;

  /** A node is made before its children, and before it is put into its parent's: `children` is filled later. */
  constructor(source: string, parent: SyntaxNode | null, facts: NodeFacts, children: readonly SyntaxNode[]) {
    this.source = source;
    this.parent = parent;
    this.children = children;
    this.index = parent?.children.length ?? 0;
    this.type = facts.type;
    this.named = facts.named;
    this.role = facts.role;
    this.start = facts.start;
    this.end = facts.end;
  }

  get text(): string {
    return this.source.slice(this.start, this.end);
  }

  get namedChildren(): readonly SyntaxNode[] {
    return this.children.filter((child) => child.named);
  }

  /** Named children without comments and joined lines, which may stand anywhere. */
  get parts(): readonly SyntaxNode[] {
    return this.children.filter((child) => child.named && !EXTRAS.has(child.type));
  }

  get previous(): SyntaxNode | null {
    return this.parent?.children[this.index - 1] ?? null;
  }

  get next(): SyntaxNode | null {
    return this.parent?.children[this.index + 1] ?? null;
  }

  /** The first child that plays this part. */
  child(role: string): SyntaxNode | null {
    return this.children.find((child) => child.role === role) ?? null;
  }

  childrenBy(role: string): readonly SyntaxNode[] {
    return this.children.filter((child) => child.role === role);
  }

  firstOfType(...types: readonly string[]): SyntaxNode | null {
    return this.children.find((child) => types.includes(child.type)) ?? null;
  }

  /** Itself and everything below it, in the order of the text. `into` false: that node is given, what is below it is not. */
  *walk(into: (node: SyntaxNode) => boolean = () => true): Generator<SyntaxNode, void, undefined> {
    // By hand and not by recursion: how deep a file nests is its author's choice.
    const waiting: SyntaxNode[] = [this];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      yield node;
      if (into(node)) for (const child of node.children.toReversed()) waiting.push(child);
    }
  }

  *ofType(...types: readonly string[]): Generator<SyntaxNode, void, undefined> {
    for (const node of this.walk()) if (types.includes(node.type)) yield node;
  }

  *ancestors(): Generator<SyntaxNode, void, undefined> {
    for (let node = this.parent; node !== null; node = node.parent) yield node;
  }

  /** One-based, for people. */
  get line(): number {
    let line = 1;
    for (let at = this.source.indexOf('\n'); at !== -1 && at < this.start; at = this.source.indexOf('\n', at + 1))
      line += 1;
    return line;
  }
}

export interface NodeFacts {
  readonly type: string;
  readonly named: boolean;
  readonly role: string | null;
  readonly start: number;
  readonly end: number;
}
