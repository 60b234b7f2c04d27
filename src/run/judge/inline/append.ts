import type { SyntaxNode } from '../syntax/node.ts';
import { type Changes, NO_CHANGES } from './changes.ts';

export interface AppendedTests {
  /** Statements of the base that are tests, in their order. */
  readonly base: readonly SyntaxNode[];
  readonly patch: readonly SyntaxNode[];
  /** Other statements of the base that its tests need and the patch no longer has. */
  readonly needed: readonly SyntaxNode[];
  readonly end: number;
  /** The separator between statements, which can also replace one. */
  readonly separator: '' | ';';
}

/**
 * Puts the base's tests, in their order, at the end of the patch's module, where everything that they use is defined. Tests that are
 * the same in both stay where they are.
 */
export function appendTests({ base, patch, needed, end, separator }: AppendedTests): Changes {
  const [ours, theirs] = [base, patch].map((nodes) => new Set(nodes.map(({ text }) => text)));
  const isSame = base.length === patch.length && base.every(({ text }, index) => text === patch[index]?.text);
  if (isSame || ours === undefined || theirs === undefined) return NO_CHANGES;
  const text = [...needed, ...base].map((node) => `\n${separator}${node.text}\n`).join('');
  return {
    edits: [...patch.map((node) => ({ start: node.start, end: node.end, text: separator })), { start: end, end, text }],
    restored: base.filter((node) => !theirs.has(node.text)).map(titleOf),
    removed: patch.filter((node) => !ours.has(node.text)).map(titleOf),
    lost: [],
  };
}

const titleOf = (node: SyntaxNode): string => node.text.split('\n')[0]?.trim().slice(0, 80) ?? '';
