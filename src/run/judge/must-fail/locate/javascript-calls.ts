import type { SyntaxNode } from '../../syntax/node.ts';
import { stringValue } from '../../syntax/imports/javascript.ts';
import { HOLE, joinTitles, type Title } from './title.ts';

/** A call that defines a test or a group of tests. */
export interface TestCall {
  readonly kind: 'test' | 'group';
  /** Null: the title is computed at run time. */
  readonly title: Title | null;
  readonly callback: SyntaxNode;
}

const TESTS = new Set(['test', 'it', 'specify']);
const GROUPS = new Set(['describe', 'suite', 'context']);
/** A test that is skipped was not passed, and one that must fail proves nothing by failing. */
const LEFT_OUT = /^(?:skip|todo|fails|failing|expectFailure)$/;
const FUNCTIONS = /^(?:arrow_function|function_expression|generator_function)$/;

/** Null: the call defines no test, or one that is left out. Aliases that the file gives to `test` are not followed. */
export function readTestCall(call: SyntaxNode): TestCall | null {
  if (call.type !== 'call_expression') return null;
  const callee = call.child('function');
  const words = callee === null ? [] : calleeWords(callee);
  const [root, ...rest] = words;
  if (root === undefined || words.some((word) => LEFT_OUT.test(word))) return null;
  // `t.test`, `tap.test`, `test.describe`: the last known word decides.
  const named = [root, ...rest].findLast((word) => TESTS.has(word) || GROUPS.has(word));
  if (named === undefined || (!TESTS.has(root) && !GROUPS.has(root) && rest.at(-1) !== named)) return null;
  const given = call.child('arguments')?.parts ?? [];
  const callback = given.map(callbackIn).find((found) => found !== null) ?? null;
  if (callback === null || given.some(leavesOut)) return null;
  const each = words.includes('each') || words.includes('for');
  const [first] = given;
  const title = first === undefined || first === callback ? null : titleOf(first, each);
  return { kind: TESTS.has(named) ? 'test' : 'group', title, callback };
}

/** `test.each(table).only` is `test`, `each`, `only`. */
function calleeWords(callee: SyntaxNode): readonly string[] {
  const words: string[] = [];
  for (let at: SyntaxNode | null = callee; at !== null;) {
    if (at.type === 'identifier') return [at.text, ...words];
    if (at.type === 'member_expression') {
      words.unshift(at.child('property')?.text ?? '');
      at = at.child('object');
    } else if (at.type === 'call_expression') {
      at = at.child('function');
    } else {
      return [];
    }
  }
  return [];
}

/** The function itself, or the one inside a wrapper: `it('x', wrap(async () => …))`. */
function callbackIn(argument: SyntaxNode): SyntaxNode | null {
  if (FUNCTIONS.test(argument.type)) return argument;
  if (argument.type !== 'call_expression') return null;
  const functions = argument.child('arguments')?.parts.filter(({ type }) => FUNCTIONS.test(type)) ?? [];
  return functions.length === 1 ? (functions[0] ?? null) : null;
}

/** `{ fails: true }`. */
function leavesOut(argument: SyntaxNode): boolean {
  if (argument.type !== 'object') return false;
  return argument.parts.some(
    (pair) => LEFT_OUT.test(pair.child('key')?.text ?? '') && pair.child('value')?.text !== 'false',
  );
}

function titleOf(node: SyntaxNode, each: boolean): Title | null {
  const text = stringValue(node);
  if (text !== null) return each ? text.split(/%[a-z%#$]|\$[\w.#]+/i) : [text];
  if (node.type === 'binary_expression' && node.child('operator')?.type === '+') {
    const [left, right] = [node.child('left'), node.child('right')].map((side) =>
      side === null ? null : titleOf(side, each),
    );
    return left === null && right === null ? null : joinTitles(left ?? HOLE, right ?? HOLE);
  }
  if (node.type !== 'template_string') return null;
  const inner = node.source.slice(node.start + 1, node.end - 1);
  const pieces: string[] = [];
  let at = node.start + 1;
  for (const hole of node.parts.filter(({ type }) => type === 'template_substitution')) {
    pieces.push(node.source.slice(at, hole.start));
    at = hole.end;
  }
  pieces.push(inner.slice(at - node.start - 1));
  // An escape sequence is another character than its source.
  return pieces.flatMap((piece) => piece.split(/\\./));
}
