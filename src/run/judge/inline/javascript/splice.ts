import type { SyntaxNode } from '../../syntax/node.ts';
import { appendTests } from '../append.ts';
import type { Changes } from '../changes.ts';
import { type ModuleStatement, moduleStatements, usedNames } from './statements.ts';

/** Puts the base's in-source tests into the patch's module. */
export function spliceJavaScript(base: SyntaxNode, patch: SyntaxNode): Changes {
  const [ours, theirs] = [moduleStatements(base), moduleStatements(patch)];
  return appendTests({
    base: ours.filter(({ isTest }) => isTest).map(({ node }) => node),
    patch: theirs.filter(({ isTest }) => isTest).map(({ node }) => node),
    needed: missingImports(ours, theirs),
    end: patch.source.length,
    separator: ';',
  });
}

/** Imports that the base's tests use, where the patch has nothing of any of their names. */
function missingImports(base: readonly ModuleStatement[], patch: readonly ModuleStatement[]): readonly SyntaxNode[] {
  const used = new Set(base.filter(({ isTest }) => isTest).flatMap(({ node }) => [...usedNames(node)]));
  const there = new Set(patch.filter(({ isTest }) => !isTest).flatMap(({ binds }) => [...binds]));
  return base
    .filter(({ isTest, node }) => !isTest && isImport(node))
    .filter(({ binds }) => [...binds].some((name) => used.has(name)) && ![...binds].some((name) => there.has(name)))
    .map(({ node }) => node);
}

const isImport = (node: SyntaxNode): boolean =>
  node.type === 'import_statement' || (node.type.endsWith('_declaration') && /\brequire\s*\(/.test(node.text));
