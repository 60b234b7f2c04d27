import type { SyntaxNode } from '../syntax/node.ts';
import { isKnownExpectation, isKnownFact, isKnownForAva } from './forms/expectations.ts';
import { holdsOnly } from './syntax-types.ts';

const TOP = new Set(['import_statement', 'function_declaration', 'class_declaration', 'comment', 'export_statement']);
const EXPRESSIONS = new Set(
  `
    identifier property_identifier shorthand_property_identifier number string string_fragment escape_sequence
    true false null undefined array object pair
    call_expression arguments member_expression binary_expression unary_expression parenthesized_expression subscript_expression
    await_expression template_string ternary_expression
  `
    .trim()
    .split(/\s+/),
);
const LITERALS = new Set([...EXPRESSIONS].filter((type) => !/call|arguments|await|member|subscript/.test(type)));
const HOOKS = /^(?:before|after|beforeEach|afterEach)$/;
const ASSERTIONS =
  /^(?:assert(?:\.strict)?|assert(?:\.strict)?\.(?:ok|equal|strictEqual|deepEqual|deepStrictEqual|notEqual|notStrictEqual|notDeepEqual|notDeepStrictEqual))$/;

/** Whether a test callback, and the code that runs before it in its file, only calls functions and compares values. */
export function isPlainJavaScript(root: SyntaxNode, test: SyntaxNode, runner: string): boolean {
  if (!root.parts.every(isPlainTop)) return false;
  if ([...root.ofType('call_expression')].some((call) => HOOKS.test(call.child('function')?.text ?? ''))) return false;
  const parameters = test.child('parameters')?.parts ?? [test.child('parameter')].filter((one) => one !== null);
  const isGiven = isFilledByTable(test) ? parameters.every(isName) : parameters.length === 0;
  if (runner === 'ava' ? parameters.map(({ text }) => text).join() !== 't' : !isGiven) return false;
  const body = test.child('body');
  if (body === null) return false;
  const statements = body.type === 'statement_block' ? body.parts : null;
  if (statements === null) return isPlainExpression(body);
  return statements.every(isPlainStatement) && !assertsWhatItPassed(body);
}

/** `test.each([[1, 2]])('…', (a, b) => …)` */
function isFilledByTable(test: SyntaxNode): boolean {
  const each = test.parent?.parent?.child('function');
  if (each?.type !== 'call_expression' || !/^(?:it|test)\.each$/.test(each.child('function')?.text ?? '')) return false;
  const tables = each.child('arguments')?.parts ?? [];
  return tables.length === 1 && tables.every((table) => table.type === 'array' && isLiteral(table));
}

/** In TypeScript, with its type. */
const isName = (node: SyntaxNode): boolean =>
  node.type === 'identifier' || (node.type === 'required_parameter' && node.child('pattern')?.type === 'identifier');

function isPlainTop(node: SyntaxNode): boolean {
  if (TOP.has(node.type)) return true;
  if (node.type === 'lexical_declaration')
    return node.parts.every((one) => isRequire(one.child('value')) || isLiteral(one.child('value')));
  if (node.type !== 'expression_statement') return false;
  const [call] = node.parts;
  return (
    call?.type === 'string' ||
    (call?.type === 'call_expression' && /^(?:test|it|describe|suite)\b/.test(call.child('function')?.text ?? ''))
  );
}

const isRequire = (node: SyntaxNode | null): boolean =>
  node !== null && /^require\(\s*(["'])[^"']*\1\s*\)(?:\.\w+)?$/.test(node.text);

const isLiteral = (node: SyntaxNode | null): boolean => holdsOnly(node, LITERALS);

function isPlainStatement(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'comment':
    case 'empty_statement':
      return true;
    case 'expression_statement':
      return node.parts.every((one) => isKnownFact(one.text) || isPlainExpression(one));
    case 'lexical_declaration':
      return node.parts.every(
        (one) => one.child('name')?.type === 'identifier' && isPlainExpression(one.child('value')),
      );
    case 'for_in_statement': {
      const [right, body] = [node.child('right'), node.child('body')];
      const statements = body?.type === 'statement_block' ? body.parts : body === null ? [] : [body];
      return right?.type === 'array' && isLiteral(right) && statements.every(isPlainStatement);
    }
    default:
      return false;
  }
}

const isPlainExpression = (node: SyntaxNode | null): boolean => holdsOnly(node, EXPRESSIONS, isPlainCall);

function isPlainCall(node: SyntaxNode): boolean {
  if (node.type !== 'call_expression') return true;
  const callee = node.child('function')?.text ?? '';
  if (/^expect\b/.test(callee)) return isKnownExpectation(callee);
  const isOther = /^(?:assert|t|vi|jest|chai|process|global|globalThis|Object|Reflect|Symbol|require)\b/.test(callee);
  return !isOther || ASSERTIONS.test(callee) || isKnownForAva(callee);
}

/** In its own sandbox the code gets copies of values, so changes that it makes to them in place are not seen. */
function assertsWhatItPassed(body: SyntaxNode): boolean {
  const lists = [...body.ofType('arguments')];
  const isAsserting = (list: SyntaxNode): boolean =>
    /^(?:assert|expect|t)\b/.test(list.parent?.child('function')?.text ?? '');
  const namesIn = (list: SyntaxNode): string[] =>
    list.parts.filter(({ type }) => type === 'identifier').map(({ text }) => text);
  const passed = new Set(lists.filter((list) => !isAsserting(list)).flatMap(namesIn));
  const loops = new Set(
    [...body.ofType('for_in_statement')].flatMap((loop) =>
      [...(loop.child('left')?.ofType('identifier') ?? [])].map(({ text }) => text),
    ),
  );
  return lists
    .filter(isAsserting)
    .flatMap(namesIn)
    .some((name) => passed.has(name) && !loops.has(name));
}
