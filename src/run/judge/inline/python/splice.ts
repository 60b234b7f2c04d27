import type { SyntaxNode } from '../../syntax/node.ts';
import { appendTests } from '../append.ts';
import { type Changes, joinChanges } from '../changes.ts';
import { spliceDocstrings } from './docstrings.ts';
import { definitionOf, isTest } from './tests.ts';

/** Puts the base's tests and the examples of its docstrings into the patch's module. */
export function splicePython(base: SyntaxNode, patch: SyntaxNode): Changes {
  const tests = appendTests({
    base: base.namedChildren.filter(isTest),
    patch: patch.namedChildren.filter(isTest),
    needed: missingImports(base, patch),
    end: patch.source.length,
    separator: '',
  });
  // A docstring has to come first, also in an empty file.
  return joinChanges([spliceDocstrings(base, patch), tests]);
}

/** Imports that the base's tests use, where the patch has nothing of that name. */
function missingImports(base: SyntaxNode, patch: SyntaxNode): readonly SyntaxNode[] {
  const tests = base.namedChildren.filter(isTest);
  const used = new Set(tests.flatMap((node) => [...node.ofType('identifier')].map(({ text }) => text)));
  const there = new Set(patch.namedChildren.filter((node) => !isTest(node)).flatMap(namesBound));
  return base.namedChildren.filter(
    (node) => IMPORT.test(node.type) && namesBound(node).some((name) => used.has(name) && !there.has(name)),
  );
}

const IMPORT = /^import_(?:from_)?statement$/;

/** Names that a statement of the module imports, defines or assigns. */
function namesBound(node: SyntaxNode): readonly string[] {
  if (IMPORT.test(node.type)) {
    return node.childrenBy('name').map((name) => {
      if (name.type === 'aliased_import') return name.child('alias')?.text ?? '';
      return node.type === 'import_statement' ? (name.text.split('.')[0] ?? '') : name.text;
    });
  }
  const assigned = node.firstOfType('assignment')?.child('left');
  const names = [definitionOf(node).child('name'), ...(assigned?.ofType('identifier') ?? [])];
  return names.flatMap((name) => (name === null ? [] : [name.text]));
}
