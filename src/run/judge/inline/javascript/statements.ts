import type { SyntaxNode } from '../../syntax/node.ts';

/** A statement of a module, outside of all blocks. */
export interface ModuleStatement {
  readonly node: SyntaxNode;
  readonly isTest: boolean;
  /** Names that it declares or imports. */
  readonly binds: ReadonlySet<string>;
}

const TEST_CALL = /^(?:test|it|describe|suite|specify|context|bench|Deno\s*\.\s*test)\b/;
const TEST_MODULE = /^(?:node:test|test|vitest|bun:test|@jest\/globals)$/;

export function moduleStatements(root: SyntaxNode): readonly ModuleStatement[] {
  const nodes = root.children.filter((node) => node.named && node.type !== 'comment' && node.type !== 'hash_bang_line');
  const aliases = aliasesIn(nodes);
  return nodes.map((node) => ({ node, isTest: isTest(node, aliases), binds: boundNames(node) }));
}

/** Names that stand for `import.meta.vitest`, however they came by it. */
function aliasesIn(nodes: readonly SyntaxNode[]): ReadonlySet<string> {
  return new Set(nodes.filter(declaresVitest).flatMap((node) => [...boundNames(node)]));
}

function declaresVitest(node: SyntaxNode): boolean {
  if (node.type !== 'lexical_declaration' && node.type !== 'variable_declaration') return false;
  return outsideFunctions(node).some(
    (inner) => isVitest(inner) || (inner.type === 'meta_property' && /\bvitest\b/.test(node.text)),
  );
}

/** Vitest's in-source blocks, and calls that make tests, guarded by whatever condition. */
function isTest(node: SyntaxNode, aliases: ReadonlySet<string>): boolean {
  switch (node.type) {
    case 'lexical_declaration':
    case 'variable_declaration':
      return declaresVitest(node);
    case 'function_declaration':
      return [...node.walk()].some(isTestCall);
    case 'import_statement':
      return TEST_MODULE.test(node.child('source')?.text.slice(1, -1) ?? '');
    case 'if_statement':
    case 'expression_statement': {
      const head = node.type === 'if_statement' ? (node.child('condition') ?? node) : node;
      const isGuarded = outsideFunctions(head).some(
        (inner) => isVitest(inner) || (inner.type === 'identifier' && aliases.has(inner.text)),
      );
      return isGuarded || (node.type === 'if_statement' ? [...node.walk()] : outsideFunctions(node)).some(isTestCall);
    }
    default:
      return false;
  }
}

/** `import.meta.vitest`, also in brackets. */
function isVitest(node: SyntaxNode): boolean {
  if (node.type !== 'member_expression' && node.type !== 'subscript_expression') return false;
  const name = node.child('property')?.text ?? node.child('index')?.text.slice(1, -1);
  return node.child('object')?.type === 'meta_property' && name === 'vitest';
}

function isTestCall(node: SyntaxNode): boolean {
  if (node.type !== 'call_expression') return false;
  const first = node.child('arguments')?.namedChildren.find(({ type }) => type !== 'comment');
  const isTitled = first !== undefined && /^(?:string|template_string)$/.test(first.type);
  return isTitled && TEST_CALL.test(node.child('function')?.text ?? '');
}

function outsideFunctions(node: SyntaxNode): readonly SyntaxNode[] {
  return [...node.walk(({ type }) => !/^(?:arrow_function|function_expression|function_declaration)$/.test(type))];
}

/** Names that other statements can use. */
function boundNames(node: SyntaxNode): ReadonlySet<string> {
  switch (node.type) {
    case 'import_statement':
      return new Set(
        [...node.ofType('import_clause')].flatMap((clause) =>
          [...clause.ofType('identifier')]
            .filter((name) => name.parent?.type !== 'import_specifier' || localName(name.parent) === name)
            .map(({ text }) => text),
        ),
      );
    case 'lexical_declaration':
    case 'variable_declaration':
      return new Set(
        node.namedChildren.flatMap((declarator) => {
          const name = declarator.child('name');
          if (name === null) return [];
          const inside = [...name.ofType('identifier', 'shorthand_property_identifier_pattern')];
          return inside.map(({ text }) => text);
        }),
      );
    case 'export_statement': {
      const declared = node.child('declaration');
      return declared === null ? new Set() : boundNames(declared);
    }
    default: {
      const name = node.child('name')?.text;
      return new Set(name === undefined ? [] : [name]);
    }
  }
}

const localName = (specifier: SyntaxNode): SyntaxNode | null => specifier.child('alias') ?? specifier.child('name');

/** Names that a statement refers to; more than it really does, since inner declarations are not told apart. */
export function usedNames(node: SyntaxNode): ReadonlySet<string> {
  return new Set([...node.ofType('identifier', 'shorthand_property_identifier')].map(({ text }) => text));
}
