import type { SyntaxNode } from '../syntax/node.ts';
import { holdsOnly } from './syntax-types.ts';

const TOP = new Set([
  'import_statement',
  'import_from_statement',
  'future_import_statement',
  'function_definition',
  'class_definition',
  'decorated_definition',
  'comment',
]);
const EXPRESSIONS = new Set(
  `
    identifier integer float string string_start string_content string_end
    escape_sequence concatenated_string true false none list dictionary
    pair call argument_list attribute keyword_argument comparison_operator binary_operator
    unary_operator parenthesized_expression subscript slice boolean_operator not_operator
  `
    .trim()
    .split(/\s+/),
);
const HOOKS = /^(?:setUp|tearDown|setup|teardown)/;

/** Whether a test function, and the code that runs before it in its file, only calls functions and compares values. */
export function isPlainPython(root: SyntaxNode, test: SyntaxNode): boolean {
  if (!root.parts.every(isPlainTop)) return false;
  const inClass = [...test.ancestors()].find(({ type }) => type === 'class_definition');
  if (inClass !== undefined && hasHooks(inClass) && !setsOnlyValues(inClass)) return false;
  if (hasHooks(root, inClass) || test.children.some(({ type }) => type === 'async')) return false;
  const parameters = parametrized(test);
  if (parameters === null) return false;
  const given = (test.child('parameters')?.parts ?? []).map(({ text }) => text).filter((name) => name !== 'self');
  if (given.some((name) => !parameters.has(name))) return false;
  const body = test.child('body');
  return body !== null && body.parts.every(isPlainStatement) && !assertsWhatItPassed(body);
}

/** `except`: a class that is checked separately. */
const hasHooks = (scope: SyntaxNode, except?: SyntaxNode): boolean =>
  hooksIn(scope).some((hook) => except === undefined || !isWithinNode(hook, except)) ||
  [...scope.ofType('decorator')].some(({ text }) => /fixture|patch|usefixtures/.test(text));

const hooksIn = (scope: SyntaxNode): readonly SyntaxNode[] =>
  [...scope.ofType('function_definition')].filter((one) => HOOKS.test(one.child('name')?.text ?? ''));

const isWithinNode = (node: SyntaxNode, around: SyntaxNode): boolean =>
  around.start <= node.start && node.end <= around.end;

/** Whether `setUp` only assigns plain values to attributes of the test case. */
function setsOnlyValues(inClass: SyntaxNode): boolean {
  return hooksIn(inClass).every(
    (hook) =>
      hook.child('name')?.text === 'setUp' &&
      hook.parent?.type === 'block' &&
      (hook.child('body')?.parts ?? []).every((statement) => {
        const [only] = statement.parts;
        return (
          statement.type === 'expression_statement' &&
          only?.type === 'assignment' &&
          /^self\.\w+$/.test(only.child('left')?.text ?? '') &&
          isLiteral(only.child('right'))
        );
      }),
  );
}

function isPlainTop(node: SyntaxNode): boolean {
  if (TOP.has(node.type)) return true;
  if (node.type === 'if_statement') return /__main__/.test(node.child('condition')?.text ?? '');
  if (node.type !== 'expression_statement') return false;
  const [first] = node.parts;
  if (first?.type === 'call') return /^sys\.path\.(?:insert|append)$/.test(first.child('function')?.text ?? '');
  if (first?.type !== 'assignment') return first?.type === 'string';
  return first.child('left')?.type === 'identifier' && isConstant(first.child('right'));
}

/** A literal, or a path. */
const isConstant = (node: SyntaxNode | null): boolean =>
  node !== null &&
  [...node.walk()].every(
    (one) =>
      !one.named ||
      (EXPRESSIONS.has(one.type) && (one.type !== 'call' || PATH_CALL.test(one.child('function')?.text ?? ''))),
  );

const PATH_CALL = /^(?:pathlib\.)?Path$|^os\.path\.\w+$|\.(?:resolve|joinpath|absolute)$|^re\.compile$/;

const isLiteral = (node: SyntaxNode | null): boolean => holdsOnly(node, EXPRESSIONS, ({ type }) => type !== 'call');

/** Names that `parametrize` fills with plain values; null: there is another decorator. */
function parametrized(test: SyntaxNode): ReadonlySet<string> | null {
  const decorators =
    test.parent?.type === 'decorated_definition' ? test.parent.children.filter(({ type }) => type === 'decorator') : [];
  const names = new Set<string>();
  for (const decorator of decorators) {
    const call = decorator.parts[0];
    const [first, second] = call?.type === 'call' ? (call.child('arguments')?.parts ?? []) : [];
    if (!/^pytest\.mark\.parametrize$/.test(call?.child('function')?.text ?? '') || second === undefined) return null;
    if (first?.type !== 'string' || !isTable(second)) return null;
    for (const name of first.text.replaceAll(/["']/g, '').split(',')) names.add(name.trim());
  }
  return names;
}

/** A list of values, or of rows of values. */
function isTable(node: SyntaxNode): boolean {
  if (node.type !== 'list' && node.type !== 'tuple') return false;
  return node.parts.every((row) =>
    row.type === 'tuple' || row.type === 'list' ? row.parts.every(isLiteral) : isLiteral(row),
  );
}

function isPlainStatement(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'comment':
    case 'pass_statement':
      return true;
    case 'assert_statement':
      return node.parts.every(isPlainExpression);
    case 'expression_statement': {
      const [only] = node.parts;
      if (only?.type === 'assignment')
        return only.child('left')?.type === 'identifier' && isPlainExpression(only.child('right'));
      return only?.type === 'string' || (only?.type === 'call' && isPlainExpression(only));
    }
    case 'for_statement': {
      const [left, right, body] = [node.child('left'), node.child('right'), node.child('body')];
      const isNames = left?.type === 'identifier' || (left?.parts.every(({ type }) => type === 'identifier') ?? false);
      return isNames && right !== null && isTable(right) && (body?.parts.every(isPlainStatement) ?? false);
    }
    case 'with_statement':
      return (
        (node.firstOfType('with_clause')?.text.startsWith('self.subTest(') ?? false) &&
        (node.child('body')?.parts.every(isPlainStatement) ?? false)
      );
    default:
      return false;
  }
}

const isPlainExpression = (node: SyntaxNode | null): boolean => holdsOnly(node, EXPRESSIONS, isPlainCall);

function isPlainCall(node: SyntaxNode): boolean {
  // Operators that a product type defines are lost when its value is copied to the tests' sandbox.
  if (node.type === 'binary_operator')
    return [...node.walk()].every(({ type }) => type !== 'call' && type !== 'identifier');
  if (node.type !== 'call') return true;
  const callee = node.child('function');
  if (callee?.type === 'attribute')
    return callee.child('object')?.text === 'self' ? isEquality(callee) : isOfModule(callee) || isOfPlainValue(callee);
  return callee?.type === 'identifier' && !OTHER_BUILTINS.has(callee.text);
}

/** `module.function(…)`, also of a package, unless the test itself assigns that name. */
function isOfModule(callee: SyntaxNode): boolean {
  const object = callee.child('object');
  if (object === null || !/^[\w.]+$/.test(object.text) || object.type === 'integer') return false;
  const [name] = object.text.split('.');
  const test = [...callee.ancestors()].find(({ type }) => type === 'function_definition');
  const given = [...(test?.ofType('assignment') ?? [])].map((one) => one.child('left')?.text);
  return !given.includes(name);
}

/** Methods of str, list and dict that product types seldom override. */
const isOfPlainValue = (callee: SyntaxNode): boolean =>
  /^(?:strip|lstrip|rstrip|lower|upper|split|splitlines|startswith|endswith|count|index|keys|values|items|get)$/.test(
    callee.child('attribute')?.text ?? '',
  );

const isEquality = (callee: SyntaxNode): boolean =>
  /^assert(?:Equal|Is|IsNone|True|False|NotEqual|ListEqual|DictEqual|Greater|Less|In|NotIn)$/.test(
    callee.child('attribute')?.text ?? '',
  );

/** Built-ins that distinguish a list from a tuple, or inspect a value. */
const OTHER_BUILTINS = new Set(
  `
    str repr isinstance issubclass type id hash tuple set frozenset vars dir
    getattr setattr hasattr iter next open print input exec eval compile map
    filter reversed bytes bytearray object super callable format ascii
  `
    .trim()
    .split(/\s+/),
);

/** In its own sandbox the code gets copies of values, so changes that it makes to them in place are not seen. */
function assertsWhatItPassed(body: SyntaxNode): boolean {
  const lists = [...body.ofType('argument_list')];
  const callee = (list: SyntaxNode): string => list.parent?.child('function')?.text ?? '';
  const named = (node: SyntaxNode): readonly string[] =>
    node.parts.filter(({ type }) => type === 'identifier' || type === 'attribute').map(({ text }) => text);
  const passed = new Set(
    lists.filter((list) => !/^self\.assert|^(?:len|sorted|list)$/.test(callee(list))).flatMap(named),
  );
  const loops = new Set(
    [...body.ofType('for_statement')].flatMap((loop) =>
      [...(loop.child('left')?.ofType('identifier') ?? [])].map(({ text }) => text),
    ),
  );
  const asserted = lists.filter((list) => callee(list).startsWith('self.assert'));
  const compared = [...body.ofType('comparison_operator'), ...asserted].flatMap(named);
  return compared.some((name) => passed.has(name) && !loops.has(name));
}
