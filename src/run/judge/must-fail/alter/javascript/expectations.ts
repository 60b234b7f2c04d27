import type { SyntaxNode } from '../../../syntax/node.ts';
import { Draw } from '../../draw.ts';
import { literalsIn } from './literals.ts';

/** An assertion at the top level of a test, and what it expects. */
export type Assertion =
  | { readonly kind: 'scalar'; readonly scalars: readonly SyntaxNode[] }
  /** The expected value is computed: a helper alters it at run time. */
  | { readonly kind: 'value'; readonly value: SyntaxNode }
  /** Only truth is expected. */
  | { readonly kind: 'truth'; readonly value: SyntaxNode }
  /** Truth is expected for each of several values, of which there must be some. */
  | { readonly kind: 'each'; readonly value: SyntaxNode };

/** `expect(x).toBe(expected)`, chai's `expect(x).to.equal(expected)`. */
const MATCHERS =
  /^(?:toBe|toEqual|toStrictEqual|toMatchObject|toHaveLength|toHaveBeenCalledTimes|equals?|eqls?|eq|lengthOf|exactly)$/;
const CALLED_WITH = /^to(?:HaveBeen|Be)(?:Last)?CalledWith$/;
/** `assert.equal(x, expected)`, `t.is(x, expected)`. */
const COMPARISONS =
  /^(?:equals?|strictEquals?|deepEquals?|deepStrictEqual|is|same|strictSame|strict_?equal|deep_?equal|assertEquals|eql|lengthOf)$/;
const TRUTH = /^(?:ok|assert|true|truthy|isTrue|false|falsy|isFalse|notOk)$/;
const NEGATED = new Set(['not', 'never']);
/** Used only to ask whether a near value exists. */
const ANY = new Draw('', '');

/**
 * `followed`: the value is awaited or returned, so that a rejected promise is noticed. `parameters`: those of the test function; the
 * first may be the assertion object.
 */
export function readAssertion(
  expression: SyntaxNode,
  followed: boolean,
  parameters: readonly string[],
): readonly Assertion[] {
  if (expression.type !== 'call_expression') return [];
  const callee = expression.child('function');
  const given = expression.child('arguments')?.parts ?? [];
  if (callee === null || given.some(({ type }) => type === 'spread_element')) return [];
  if (callee.type === 'identifier') return byFunction(callee.text, given);
  const chain = chainOf(callee);
  const name = chain.names.at(-1) ?? '';
  if (chain.names.some((word) => NEGATED.has(word))) return [];
  const asynchronous = chain.names.some((word) => /^(?:resolves|rejects|eventually|poll)$/.test(word));
  if (asynchronous && !followed) return [];
  if (chain.root === 'expect' || chain.names.includes('should')) return matched(name, given);
  if (name === 'expect') return requested(given, followed, parameters);
  const asserts =
    /^(?:assert|strict|should|chai|tap)$/.test(chain.root) ||
    chain.root === parameters[0] ||
    chain.names.includes('assert');
  return asserts ? compared(name, given) : [];
}

function byFunction(name: string, given: readonly SyntaxNode[]): readonly Assertion[] {
  // With any other second argument than a message, it is a function of the project.
  const [condition, message] = given;
  const isPlain =
    message === undefined || /^(?:string|template_string|binary_expression|new_expression)$/.test(message.type);
  if (/^(?:assert|ok)$/.test(name)) return condition !== undefined && isPlain ? truth(condition) : [];
  return /^(?:strictEqual|deepStrictEqual|deepEqual|assertEquals?)$/.test(name) ? compared('equal', given) : [];
}

function matched(name: string, given: readonly SyntaxNode[]): readonly Assertion[] {
  if (CALLED_WITH.test(name)) {
    const scalars = given.flatMap((argument) => literalsIn(argument, ANY));
    return scalars.length === 0 ? [] : [{ kind: 'scalar', scalars }];
  }
  return MATCHERS.test(name) ? given.slice(0, 1).map(expected) : [];
}

function compared(name: string, given: readonly SyntaxNode[]): readonly Assertion[] {
  const [left, right] = given;
  if (left === undefined) return [];
  if (TRUTH.test(name)) return truth(left);
  if (right === undefined || !COMPARISONS.test(name)) return [];
  const literal = [right, left].find((side) => literalsIn(side, ANY).length > 0);
  const plain = [right, left].find((side) => [...side.ofType('call_expression')].length === 0);
  return [expected(literal ?? plain ?? right)];
}

/** `request(app).get('/').expect(200, done)` of supertest. */
function requested(
  given: readonly SyntaxNode[],
  followed: boolean,
  parameters: readonly string[],
): readonly Assertion[] {
  const heard = followed || given.some(({ type, text }) => type === 'identifier' && parameters.includes(text));
  const literal = given.findLast(({ type }) => type === 'number' || type === 'string');
  return heard && literal !== undefined ? [{ kind: 'scalar', scalars: [literal] }] : [];
}

function expected(node: SyntaxNode): Assertion {
  const scalars = literalsIn(node, ANY);
  return scalars.length > 0 ? { kind: 'scalar', scalars } : { kind: 'value', value: node };
}

function truth(value: SyntaxNode): readonly Assertion[] {
  return [{ kind: 'truth', value }];
}

/** `expect(x).to.be.equal` has the root `expect` and the names `to`, `be`, `equal`. */
function chainOf(callee: SyntaxNode): { readonly root: string; readonly names: readonly string[] } {
  const names: string[] = [];
  let at: SyntaxNode | null = callee;
  while (at !== null && (at.type === 'member_expression' || at.type === 'call_expression')) {
    if (at.type === 'member_expression') names.unshift(at.child('property')?.text ?? '');
    at = at.child('object') ?? at.child('function');
  }
  return { root: at?.text ?? '', names };
}
