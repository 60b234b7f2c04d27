import type { SyntaxNode } from '../../syntax/node.ts';
import { contentOfWord } from '../alter/bash.ts';

/** Literals of one comparison: once they are others, it has another result. */
type ComparedWords = readonly SyntaxNode[];

interface ShellTest {
  readonly node: SyntaxNode;
  readonly sides: readonly SyntaxNode[];
  /** What it says of equal sides. */
  readonly saysEqual: boolean;
}

const EQUAL = /^(?:==?|-eq)$/;
const UNEQUAL = /^(?:!=|-ne)$/;
const FAILS =
  /\b(?:exit|return)\s+["']?[1-9]|(?:^|[\s;{&|])(?:false|not_ok|fail\w*|die|abort)\b|\b\w*(?:fail|err|bad)\w*=|\b(?:rc|ret|status|code|result)=["']?[1-9]|\(\(\s*\w*(?:fail|err|bad)/;

/** The comparisons with a literal in a test script that make it fail if the values differ. */
export function comparisonsInShell(root: SyntaxNode): readonly ComparedWords[] {
  const errexit = /^\s*set\s+(?:-[a-z]*e|-o\s+errexit)/m.test(root.text);
  const tests = [...testsIn(root)].filter((test) => failsScript(test.node, !test.saysEqual, errexit));
  const direct = tests.flatMap(({ sides }) => {
    const literals = sides.filter((side) => contentOfWord(side) !== null);
    return literals.length === 1 ? [literals] : [];
  });
  return [...direct, ...givenToChecks(root, tests)];
}

function* testsIn(root: SyntaxNode): Generator<ShellTest> {
  for (const node of root.ofType('test_command', 'command')) {
    const found = node.type === 'test_command' ? bracketed(node) : (calledTest(node) ?? search(node));
    if (found !== null) yield found;
  }
}

function bracketed(node: SyntaxNode): ShellTest | null {
  const comparison = node.firstOfType('binary_expression');
  const sides = [comparison?.child('left') ?? null, comparison?.child('right') ?? null];
  return testOf(node, sides, comparison?.child('operator')?.text ?? '');
}

function calledTest(node: SyntaxNode): ShellTest | null {
  if (!/^(?:test|\[)$/.test(node.child('name')?.text ?? '')) return null;
  const [left = null, operator, right = null] = node.childrenBy('argument');
  return testOf(node, [left, right], operator?.text ?? '');
}

function testOf(node: SyntaxNode, given: readonly (SyntaxNode | null)[], operator: string): ShellTest | null {
  const sides = given.filter((side) => side !== null);
  if (sides.length !== 2 || !(EQUAL.test(operator) || UNEQUAL.test(operator))) return null;
  return { node, sides, saysEqual: EQUAL.test(operator) };
}

/** `grep -q text file`: what is looked for must be there. */
function search(node: SyntaxNode): ShellTest | null {
  if (!/^[ef]?grep$/.test(node.child('name')?.text ?? '')) return null;
  const given = node.childrenBy('argument');
  const options = given.filter(({ text }) => text.startsWith('-'));
  const [pattern] = given.filter((one) => !options.includes(one));
  const isPlain = options.length > 0 && options.every(({ text }) => /^-[qsxFE]+$/.test(text));
  return pattern === undefined || !isPlain ? null : { node, sides: [pattern], saysEqual: true };
}

/** Whether the script fails if this command says `result`. */
function failsScript(node: SyntaxNode, result: boolean, errexit: boolean): boolean {
  const { parent } = node;
  if (parent === null) return false;
  switch (parent.type) {
    case 'negated_command':
      // `set -e` looks neither at what is negated nor at what comes before `&&` or `||`.
      return failsScript(parent, !result, false);
    case 'list': {
      const isLeft = parent.parts[0] === node;
      const goesOn = (parent.firstOfType('&&') !== null) === result;
      if (!isLeft || !goesOn) return failsScript(parent, result, errexit && !isLeft);
      return FAILS.test(` ${parent.parts[1]?.text ?? ''}`);
    }
    case 'if_statement':
      return node.role === 'condition' ? FAILS.test(branch(parent, result)) : false;
    case 'program':
      return !result && (errexit || parent.parts.at(-1) === node);
    default:
      return false;
  }
}

/** What an `if` does. */
function branch(statement: SyntaxNode, result: boolean): string {
  const texts = statement.parts.filter(({ role }) => role !== 'condition');
  return texts
    .filter(({ type }) => (type === 'else_clause') !== result && type !== 'elif_clause')
    .map(({ text }) => ` ${text}`)
    .join('\n');
}

/** Literals that are given to functions of the script at the places that these compare. */
function givenToChecks(root: SyntaxNode, tests: readonly ShellTest[]): readonly ComparedWords[] {
  const checks = new Map<string, readonly number[]>();
  for (const definition of root.ofType('function_definition')) {
    const own = tests.find(({ node }) => [...node.ancestors()].includes(definition));
    const places = (own?.sides ?? []).map(({ text }) => Number(/^"?\$\{?([1-9])\}?"?$/.exec(text)?.[1] ?? 0));
    const name = definition.child('name')?.text;
    if (name !== undefined && places.some((place) => place > 0)) checks.set(name, places);
  }
  return [...root.ofType('command')].flatMap((call) => {
    const given = call.childrenBy('argument');
    const compared = (checks.get(call.child('name')?.text ?? '') ?? []).flatMap((place) => given[place - 1] ?? []);
    const literals = compared.filter((one) => contentOfWord(one) !== null);
    return literals.length === 1 ? [literals] : [];
  });
}
