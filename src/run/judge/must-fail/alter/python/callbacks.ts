import type { SyntaxNode } from '../../../syntax/node.ts';
import { nestedStatements, pythonOwnNodes, runStatements } from './body.ts';
import { assertionOf, callAssertion, isCatching, type PythonAssertion } from './expectations.ts';

/**
 * Functions that call what they are given in a place where a failure may not fail the test: later, in another thread, or where an error
 * is expected.
 */
const LEFT_OUT =
  /rais|warn|suppress|except|error|fail|expect|deprecat|assert|thread|process|timer|submit|executor|call_(?:later|soon|at)|create_task|gather|register|cleanup|finalizer|patch|mock|setattr|sort|max|min/i;

/**
 * Assertions in functions that a test gives to a function of the product, which may not run. A product that catches what they raise has
 * emptied the test.
 */
export function pythonCallbackAssertions(test: SyntaxNode): readonly PythonAssertion[] {
  const definitions = runStatements(test).filter(
    ({ type, text }) => type === 'function_definition' && !/^async\b/.test(text),
  );
  const seen = new Set<number>();
  return nestedStatements(test, isCatching)
    .filter(({ type }) => type !== 'function_definition')
    .flatMap((statement) => pythonOwnNodes(statement, 'call'))
    .filter((call) => !LEFT_OUT.test(call.child('function')?.text ?? ''))
    .flatMap((call) => (call.child('arguments')?.parts ?? []).map((one) => one.child('value') ?? one))
    .flatMap((given) => {
      const lambda = given.type === 'lambda' ? given.child('body') : null;
      if (lambda !== null) return lambda.type === 'call' ? callAssertion(lambda) : [];
      const named = definitions.find((one) => given.type === 'identifier' && one.child('name')?.text === given.text);
      if (named === undefined || seen.has(named.start) || pythonOwnNodes(named, 'yield').length > 0) return [];
      seen.add(named.start);
      return nestedStatements(named, isCatching).flatMap(assertionOf);
    });
}
