import { basename } from 'node:path';
import { parseShell } from './parse.ts';
import type { Pipeline, ShellNode } from './tree.ts';
import { childrenOf } from './visit.ts';

/** Programs that only show or store their input. */
const ONLOOKER = /^(?:tee|faucet|tap-(?:spec|dot|diff|difflet|min|nyan|arc|summary|nirvana|notify|out|spec-dot))$/;

/**
 * Leaves out programs that only show or store output: `pytest | tee log` becomes `pytest`, whose exit code is then that of the command. The
 * harness keeps the output anyway.
 */
export function withoutOutputFilters(text: string): string {
  const tree = parseShell(text);
  if (tree === null) return text;
  const cuts = pipelinesIn(tree)
    .flatMap(cutOf)
    .sort((one, other) => one.start - other.start);
  return cuts.reduceRight((kept, { start, end }) => kept.slice(0, start) + kept.slice(end), text);
}

function cutOf({ stages, ends }: Pipeline): { readonly start: number; readonly end: number }[] {
  const last = stages.length - 1;
  let first = stages.length;
  while (first > 1 && isOnlooker(stages[first - 1])) first -= 1;
  const [start, end] = [ends[first - 1], ends[last]];
  return first > last || start === undefined || end === undefined ? [] : [{ start, end }];
}

function isOnlooker(node: ShellNode | undefined): boolean {
  if (node?.kind !== 'simple') return false;
  const [first = '', second = ''] = node.words.map(({ value }) => value ?? '$');
  return ONLOOKER.test(basename(first === 'npx' ? second : first));
}

function pipelinesIn(node: ShellNode): readonly Pipeline[] {
  const below = childrenOf(node).flatMap(pipelinesIn);
  return node.kind === 'pipeline' ? [node, ...below] : below;
}
