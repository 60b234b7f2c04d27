import { below, type PlacedText } from '../expand/expansion.ts';
import type { CommandLine } from '../command-line.ts';
import { matters } from './matters.ts';
import { parseShell } from './parse.ts';
import type { AndOr, ShellNode, Simple } from './tree.ts';

/** One command of a list, in its directory and with its variables. */
export interface ShellPart {
  readonly placed: PlacedText;
  /** Null: only a shell can tell what it means. */
  readonly line: CommandLine | null;
  /** The line holds all of it: no redirection was left out. */
  readonly isWhole: boolean;
  /** It prints at most: among others it can be left out. */
  readonly doesNothing: boolean;
}

/** Where the next command runs, and with which variables. */
interface Scope {
  dir: string;
  env: readonly (readonly [string, string])[];
  /** `set -e`. */
  errexit: boolean;
}

class NotAList extends Error {}

const SETS_NOTHING = /^(?:-[eux]+|-[eux]*o|pipefail|errexit|nounset|xtrace)$/;
const PRINTS = new Set(['echo', 'printf', ':', 'true']);

/**
 * A command as a list of commands of which each has to succeed: `cd web && npm run build && npm test`. Null: it is no such list, or a
 * later part depends on what an earlier one told the shell. The caller has made sure that no failure is hidden.
 */
export function flatten(text: string, { dir, env = [] }: PlacedText): readonly ShellPart[] | null {
  const tree = parseShell(text);
  if (tree === null) return null;
  try {
    return partsOf(tree, { dir, env, errexit: false });
  } catch (error) {
    if (error instanceof NotAList) return null;
    throw error;
  }
}

function partsOf(node: ShellNode, outer: Scope): readonly ShellPart[] {
  switch (node.kind) {
    case 'simple':
      return simpleParts(node, outer);
    case 'sequence': {
      if (node.items.some((item) => item.inBackground)) throw new NotAList();
      const scope = node.scope === 'subshell' ? { ...outer } : outer;
      return node.items.flatMap((item, index) => {
        const parts = partsOf(item.node, scope);
        const isLast = index === node.items.length - 1;
        return isLast || scope.errexit || matters(item.node) ? parts : parts.map(mayFail);
      });
    }
    case 'and_or':
      return segmentsOf(node).flatMap((segment) => segmentParts(segment, outer));
    case 'pipeline': {
      // Where a failure of the first counts, so does the first alone.
      const [first] = node.stages;
      const found = first?.kind === 'simple' && !node.negated ? partsOf(first, { ...outer }) : [];
      const line = found.length === 1 ? (found[0]?.line ?? null) : null;
      if (line === null) throw new NotAList();
      return found;
    }
    case 'loop':
    case 'condition':
    case 'definition':
      throw new NotAList();
    default:
      return node satisfies never;
  }
}

/** Of `rm -r out; tests`: it need not succeed. */
function mayFail(part: ShellPart): ShellPart {
  if (part.doesNothing) return part;
  return { ...part, placed: { ...part.placed, text: `${part.placed.text} || :` }, line: null, isWhole: false };
}

/** Split at `&&`: what is left in one is joined by `||`. */
function segmentsOf({ first, rest }: AndOr): readonly (readonly ShellNode[])[] {
  const segments: ShellNode[][] = [[first]];
  for (const { operator, node } of rest) {
    if (operator === '&&') segments.push([node]);
    else segments.at(-1)?.push(node);
  }
  return segments;
}

/** Of `tests || exit 1` the tests; of `rm -r x || true` the whole. */
function segmentParts(segment: readonly ShellNode[], scope: Scope): readonly ShellPart[] {
  const [first, ...others] = segment;
  if (first === undefined) return [];
  if (others.length === 0) return partsOf(first, scope);
  const fails = others.every(
    (node) => node.kind === 'simple' && /^(?:exit|return|false)$/.test(node.words[0]?.text ?? ''),
  );
  if (fails) return partsOf(first, scope);
  return [
    {
      placed: { text: segment.map(({ text }) => text).join(' || '), dir: scope.dir, env: scope.env },
      line: null,
      isWhole: false,
      doesNothing: false,
    },
  ];
}

function simpleParts(node: Simple, scope: Scope): readonly ShellPart[] {
  const words = node.words.map(({ value }) => value);
  const [name, ...args] = words;
  if (name === undefined) throw new NotAList();
  const isPlain = node.redirects.length === 0 && node.assignments.length === 0;
  if (name === 'cd') {
    const target =
      args.length === 1 && isPlain && args[0] !== null && args[0] !== '-' ? below(scope.dir, args[0] ?? '') : null;
    if (target === null) throw new NotAList();
    scope.dir = target;
    return [];
  }
  if (name === 'set') {
    if (!args.every((word) => word !== null && SETS_NOTHING.test(word))) throw new NotAList();
    scope.errexit ||= args.some((word) => /^-[ux]*e|^errexit$/.test(word ?? ''));
    return [];
  }
  if (name === 'export') {
    scope.env = [...scope.env, ...exported(args)];
    return [];
  }
  if (name === 'source' || name === '.') {
    // The environment that was provisioned is taken in any case.
    if (!/(?:^|\/)bin\/activate$/.test(args[0] ?? '')) throw new NotAList();
    return [];
  }
  if (name === null || /^(?:eval|alias|unset|trap|shopt|ulimit|umask|pushd|popd)$/.test(name)) throw new NotAList();
  const placed = { text: node.text, dir: scope.dir, env: scope.env };
  const isWhole = node.redirects.length === 0;
  const doesNothing = isWhole && (PRINTS.has(name) || (name === 'exit' && (args[0] ?? '0') === '0'));
  return [{ placed, line: lineOf(node, scope), isWhole, doesNothing }];
}

function exported(args: readonly (string | null)[]): readonly (readonly [string, string])[] {
  return args.map((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word ?? '') ?? [];
    if (name === undefined || value === undefined) throw new NotAList();
    return [name, value] as const;
  });
}

function lineOf(node: Simple, scope: Scope): CommandLine | null {
  const words: string[] = [];
  for (const { value } of node.words) {
    if (value === null) return null;
    words.push(value);
  }
  const env: (readonly [string, string])[] = [...scope.env];
  for (const { name, value } of node.assignments) {
    if (value.value === null) return null;
    env.push([name, value.value]);
  }
  // What it reads from elsewhere belongs to it; where its output goes does not matter.
  if (node.redirects.some(({ operator, target }) => operator.includes('<') && target.text !== '/dev/null')) return null;
  if (words[0] === '' || words[0] === undefined) return null;
  const globs = node.words.flatMap(({ isGlob, value }) => (isGlob && value !== null ? [value] : []));
  return { env, words, globs };
}
