import type { TreeCursor } from '@vscode/tree-sitter-wasm';
import { parserFor } from './grammars.ts';
import type { Language } from './language.ts';
import { SyntaxNode, type SyntaxTree } from './node.ts';

/** Larger files are data or generated, and the text may be hostile: some takes hours or gigabytes. */
const MAX_LENGTH = 1024 * 1024;
const MAX_PARSE_MS = 4000;
const MAX_NODES = 600_000;

/** Null: too large, or too slow to parse. Syntax errors are no reason to fail: see `Tree.broken`. */
export async function parse(language: Language, text: string): Promise<SyntaxTree | null> {
  if (text.length > MAX_LENGTH) return null;
  const parser = await parserFor(language);
  const deadline = performance.now() + MAX_PARSE_MS;
  const parsed = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  if (parsed === null) {
    parser.reset();
    return null;
  }
  const cursor = parsed.walk();
  try {
    if (parsed.rootNode.descendantCount > MAX_NODES) return null;
    return { text, root: copyTree(text, cursor), broken: parsed.rootNode.hasError };
  } finally {
    cursor.delete();
    parsed.delete();
  }
}

interface OpenNode {
  readonly node: SyntaxNode;
  readonly children: SyntaxNode[];
}

/** Copied out of the parser's memory, which is not garbage collected. */
function copyTree(text: string, cursor: TreeCursor): SyntaxNode {
  const root = copyNode(text, null, cursor);
  let at = root;
  const above: OpenNode[] = [];
  for (;;) {
    if (cursor.gotoFirstChild()) {
      above.push(at);
    } else {
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return root.node;
        above.pop();
      }
    }
    const parent = above.at(-1);
    if (parent === undefined) return root.node;
    at = copyNode(text, parent.node, cursor);
    parent.children.push(at.node);
  }
}

function copyNode(text: string, parent: SyntaxNode | null, cursor: TreeCursor): OpenNode {
  const facts = {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    role: cursor.currentFieldName,
    start: cursor.startIndex,
    end: cursor.endIndex,
  };
  const children: SyntaxNode[] = [];
  return { node: new SyntaxNode(text, parent, facts, children), children };
}
