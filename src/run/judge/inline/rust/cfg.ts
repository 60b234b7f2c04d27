import type { SyntaxNode } from '../../syntax/node.ts';

/** The condition inside `cfg(…)`. */
type Predicate =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'all' | 'any' | 'not'; readonly of: readonly Predicate[] };

/** With more unknown names than this, combinations are not tried. */
const MAX_NAMES = 8;

/** Whether something under these `cfg(…)` arguments is compiled only for tests. */
export function isForTestsAlone(conditions: readonly SyntaxNode[]): boolean {
  return neverHolds(conditions, isTestName, []);
}

/** Whether it is never compiled for unit tests. */
export function isLeftOutOfTests(conditions: readonly SyntaxNode[]): boolean {
  return neverHolds(conditions, (name) => name === 'test', ['test']);
}

/** Whether it never holds, whichever other names are set. `fixed`: names that are not varied; of these, only those in `set` hold. */
function neverHolds(
  conditions: readonly SyntaxNode[],
  fixed: (name: string) => boolean,
  set: readonly string[],
): boolean {
  const all: Predicate = { kind: 'all', of: conditions.flatMap(readPredicates) };
  const names = [...new Set(namesIn(all))].filter((name) => !fixed(name));
  if (!namesIn(all).some(fixed) || names.length > MAX_NAMES) return false;
  return combinationsOf(names).every((others) => !holds(all, new Set([...set, ...others])));
}

/** Whether it is compiled differently for tests, in whatever way. */
export function mentionsTests(condition: SyntaxNode): boolean {
  return [...condition.ofType('identifier', 'metavariable')].some(
    ({ type, text }) => type === 'metavariable' || text === 'test' || text === 'doctest',
  );
}

/** A feature for tests counts as `test`: `any(test, feature = "test-util")`. */
function isTestName(name: string): boolean {
  return name === 'test' || name === 'doctest' || /^feature=.*(?:test|mock|fixture)/.test(name);
}

/** `tokens`: the parentheses behind `cfg`, `all`, `any` or `not`. */
function readPredicates(tokens: SyntaxNode): readonly Predicate[] {
  const parts: SyntaxNode[][] = [[]];
  for (const token of tokens.children.slice(1, -1)) {
    if (token.type === ',') parts.push([]);
    else if (!token.type.endsWith('_comment')) parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0).map(readPredicate);
}

function readPredicate(tokens: readonly SyntaxNode[]): Predicate {
  const [name, inner] = tokens;
  const kind = name?.text;
  if (inner?.type === 'token_tree' && tokens.length === 2 && (kind === 'all' || kind === 'any' || kind === 'not')) {
    return { kind, of: readPredicates(inner) };
  }
  return { kind: 'name', text: tokens.map(({ text }) => text).join('') };
}

function namesIn(predicate: Predicate): readonly string[] {
  return predicate.kind === 'name' ? [predicate.text] : predicate.of.flatMap(namesIn);
}

function combinationsOf(names: readonly string[]): readonly ReadonlySet<string>[] {
  return Array.from(
    { length: 2 ** names.length },
    (_none, bits) => new Set(names.filter((_name, index) => (bits & (1 << index)) !== 0)),
  );
}

function holds(predicate: Predicate, set: ReadonlySet<string>): boolean {
  switch (predicate.kind) {
    case 'name':
      return predicate.text === 'true' || set.has(predicate.text);
    case 'all':
      return predicate.of.every((one) => holds(one, set));
    case 'any':
      return predicate.of.some((one) => holds(one, set));
    case 'not':
      return !predicate.of.some((one) => holds(one, set));
    default:
      return predicate satisfies never;
  }
}
