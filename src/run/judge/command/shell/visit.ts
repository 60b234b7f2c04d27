import type { ShellNode, Simple } from './tree.ts';

/** The parts of a node, in order. */
export function childrenOf(node: ShellNode): readonly ShellNode[] {
  switch (node.kind) {
    case 'simple':
      return [];
    case 'sequence':
      return node.items.map((item) => item.node);
    case 'pipeline':
      return node.stages;
    case 'and_or':
      return [node.first, ...node.rest.map((part) => part.node)];
    case 'loop':
      return [...(node.condition === null ? [] : [node.condition]), node.body];
    case 'condition':
      return [...node.conditions, ...node.bodies];
    case 'definition':
      return [node.body];
    default:
      return node satisfies never;
  }
}

/** Every simple command in it, in order. */
export function simpleCommands(node: ShellNode): readonly Simple[] {
  return node.kind === 'simple' ? [node] : childrenOf(node).flatMap(simpleCommands);
}
