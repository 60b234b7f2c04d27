import type { SyntaxNode } from '../../syntax/node.ts';

/** Literals of one comparison: once they are others, the comparison says no. */
export type ComparedValues = readonly SyntaxNode[];

const ASSERTS = /assert|expect|check|verify|require|should|must|ensure|^(?:test|ok|is)(?:_|$)/i;
const DENIES = /static_assert|not|false|null|throw|death|fail|near|less|greater|_(?:n|l|g)[et]$|(?:NE|LT|LE|GT|GE)$/i;
const EQUALS = /(?:^|_|[a-z])(?:eq|EQ|Eq|equals?|EQUALS?|Equals?|same|SAME|Same)(?:_|$|[A-Z\d])/;
/** Functions of the C library that return 0 for equal values. */
const COMPARES = /^(?:std::)?(?:str(?:n?case|n)?cmp|strcoll|memcmp|bcmp|wcscmp|wmemcmp)$/;
const FAILS =
  /\b(?:abort|fail\w*|FAIL\w*)\b|\breturn\s+(?:[1-9]|-\s*\d|EXIT_FAILURE|false)\b|\bexit\s*\(\s*(?:[1-9]|EXIT_FAILURE)|\b(?:fail|err|bad)\w*\s*(?:\+\+|\+=|=)|(?:\+\+|--)\s*(?:fail|err|bad)\w*/;

/** The comparisons of a test in C or C++ that fail it if the values differ. */
export function comparisonsInC(root: SyntaxNode): readonly ComparedValues[] {
  const found: ComparedValues[] = [];
  for (const node of root.walk()) {
    if (node.type === 'call_expression') found.push(...inAssertion(node));
    else if (node.type === 'if_statement' && FAILS.test(node.child('consequence')?.text ?? ''))
      found.push(...equalIn(node.child('condition'), false));
    else if (node.type === 'return_statement' && isInMain(node)) found.push(...equalIn(node.parts[0] ?? null, false));
  }
  return found.filter((values, at) => values.length > 0 && !found.slice(0, at).some((one) => one[0] === values[0]));
}

function inAssertion(call: SyntaxNode): readonly ComparedValues[] {
  const name = call.child('function')?.text ?? '';
  if (DENIES.test(name) || !(ASSERTS.test(name) || EQUALS.test(name))) return [];
  const given = call.child('arguments')?.parts ?? [];
  const inner = given.flatMap((argument) => equalIn(argument, true));
  // All at once: one of them may be a message.
  const own = EQUALS.test(name) ? given.filter(isLiteral) : [];
  return own.length === 0 || own.length === given.length ? inner : [own, ...inner];
}

/** Comparisons of an expression whose values must be equal for it to be `wanted`. */
function equalIn(expression: SyntaxNode | null, wanted: boolean): readonly ComparedValues[] {
  if (expression === null) return [];
  const [first = null] = expression.parts;
  switch (expression.type) {
    case 'parenthesized_expression':
    case 'condition_clause':
      return equalIn(first, wanted);
    case 'unary_expression':
      return expression.child('operator')?.text === '!' ? equalIn(expression.child('argument'), !wanted) : [];
    case 'call_expression':
      return wanted ? [] : [comparedBy(expression)];
    case 'binary_expression':
      return equalOperands(expression, wanted);
    case 'conditional_expression':
      if (!expression.parts.slice(1).some(({ text }) => text === '0')) return [];
      return equalIn(expression.child('condition'), wanted === (expression.child('alternative')?.text === '0'));
    default:
      return [];
  }
}

function equalOperands(expression: SyntaxNode, wanted: boolean): readonly ComparedValues[] {
  const operator = expression.child('operator')?.text ?? '';
  const sides = [expression.child('left'), expression.child('right')].filter((side) => side !== null);
  if (operator === (wanted ? '&&' : '||')) return sides.flatMap((side) => equalIn(side, wanted));
  if (operator !== (wanted ? '==' : '!=')) return [];
  const call = sides.find((side) => side.type === 'call_expression' && comparedBy(side).length > 0);
  if (call !== undefined) return sides.some(({ text }) => text === '0') ? [comparedBy(call)] : [];
  const literals = sides.filter(isLiteral);
  return literals.length === 1 ? [literals] : [];
}

function comparedBy(call: SyntaxNode): ComparedValues {
  if (!COMPARES.test(call.child('function')?.text ?? '')) return [];
  const given = (call.child('arguments')?.parts ?? []).slice(0, 2);
  const literals = given.filter(isLiteral);
  return literals.length === 1 ? literals : [];
}

const isInMain = (node: SyntaxNode): boolean =>
  [...node.ancestors()].some(
    (around) => around.type === 'function_definition' && /^main\b/.test(around.child('declarator')?.text ?? ''),
  );

const isLiteral = ({ type, text }: SyntaxNode): boolean =>
  (type === 'string_literal' && text.startsWith('"')) ||
  (type === 'char_literal' && /^'[^\\']'$/.test(text)) ||
  (type === 'number_literal' && /^\d+(?:\.\d+)?[uUlLfF]*$/.test(text));
