import type { SyntaxNode } from '../../syntax/node.ts';
import { conditionsOf, isTestAttribute, makesTests } from './attributes.ts';
import { isForTestsAlone } from './cfg.ts';
import { innerAttributesOf, type Item, itemsOf, macroCall } from './items.ts';

/** Macros whose arguments are tests without an attribute that says so. */
const TEST_MACROS = /^(?:\w+::)*(?:quickcheck|proptest|speculate|rusty_fork_test)$/;
const TEST_MODULE = /^tests?$|_tests?$|^tests?_/;

/** Names of the file's own macros that make tests. */
export function testMacrosIn(root: SyntaxNode): ReadonlySet<string> {
  return new Set(
    [...root.ofType('macro_definition')].filter(makesTests).map((definition) => definition.child('name')?.text ?? ''),
  );
}

/** Whether an item is there for tests alone. */
export function isTestItem({ node, attributes }: Item, testMacros: ReadonlySet<string>): boolean {
  if (isForTestsAlone(conditionsOf(attributes))) return true;
  switch (node.type) {
    case 'function_item':
      return attributes.some(isTestAttribute);
    case 'macro_definition':
      return testMacros.has(node.child('name')?.text ?? '');
    case 'mod_item':
      return isTestModule(node, testMacros);
    default: {
      const call = macroCall(node);
      const name = call?.child('macro')?.text ?? '';
      return call !== null && (TEST_MACROS.test(name) || testMacros.has(name) || (!isSwitch(name) && makesTests(call)));
    }
  }
}

/** `cfg_if!` and its like hold whatever is compiled under some condition, product and tests alike. */
const isSwitch = (macro: string): boolean => /^(?:\w+::)*cfg_/.test(macro);

/** Tests inside of such a macro: they cannot be told from the product around them. */
export function hasMixedTests({ node }: Item): boolean {
  const call = macroCall(node);
  return call !== null && isSwitch(call.child('macro')?.text ?? '') && makesTests(call);
}

/** `#![cfg(test)]` inside, or the usual name and tests, with the condition left out. */
function isTestModule(node: SyntaxNode, testMacros: ReadonlySet<string>): boolean {
  const body = node.child('body');
  if (body === null) return false;
  if (isForTestsAlone(conditionsOf(innerAttributesOf(body)))) return true;
  const name = node.child('name')?.text ?? '';
  return TEST_MODULE.test(name) && itemsOf(body).some((item) => isTestItem(item, testMacros));
}
