import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Draw } from '../../draw.ts';
import { comparisonText, drawChoice, drawComparison } from '../comparison.ts';
import { insert, type Order, replace } from '../order.ts';
import { lineEnd, marginAt, runStatements } from './body.ts';

export function choosePython(node: SyntaxNode, own: string, near: string, altered: boolean, { draw }: Order): Edit {
  const { condition, first, second } = drawChoice(draw, own, near, altered);
  return replace(node, `(${first} if ${condition} else ${second})`);
}

/**
 * A value that cannot be altered makes the copy fail. If the copy needs to know which values were reached, `reached`
 * records them: 0 for the altered one, 1 for others.
 */
export function definePythonHelpers(
  test: SyntaxNode,
  [name, marks]: readonly [string, { readonly reached: string; readonly pass: string } | null],
  { token }: Order,
): Edit {
  const altered = alteredValue(token);
  const definitions =
    marks === null
      ? [`${name} = lambda v: ${altered}`]
      : [
          `${marks.reached} = []`,
          `${marks.pass} = lambda v: (${marks.reached}.append(1), v)[1]`,
          `${name} = lambda v: (${marks.reached}.append(0), ${altered})[1]`,
        ];
  return defineFirst(test, definitions);
}

/** An expression for another value than `v`. */
export function alteredValue(token: string): string {
  const cases = [
    'not v if isinstance(v, bool)',
    '(v + 1 if v + 1 != v else 0 if v else 1) if isinstance(v, (int, float))',
    '(v[1:2] + v[:1] + v[2:] if v[:1] != v[1:2] != v[:0] else v + v[:1]) if isinstance(v, (str, bytes)) and v',
    '(b"a" if isinstance(v, bytes) else "a") if isinstance(v, (str, bytes))',
    '0 if v is None',
    'v + [0] if type(v) is list',
    'v + (0,) if type(v) is tuple',
    '{**v, 0: 0} if type(v) is dict and 0 not in v',
    'v ^ {0} if type(v) in (set, frozenset)',
  ];
  return `${cases.join(' else ')} else ${failing(token)}`;
}

/** An expression that fails. */
export const failing = (token: string): string => `(_ for _ in ()).throw(AssertionError("${token}"))`;

/** Inserts definitions before the first statement of a test. */
export function defineFirst(test: SyntaxNode, definitions: readonly string[]): Edit {
  const at = runStatements(test)[0]?.start ?? test.end;
  const margin = marginAt(test.source, at);
  return insert(at, margin === null ? `${definitions.join('; ')}; ` : `${definitions.join(`\n${margin}`)}\n${margin}`);
}

/** Names for the definitions of a copy: the list of reached values, and the helper that returns a value unchanged or alters it. */
export function namesFor(draw: Draw): { readonly reached: string; readonly alter: string; readonly pass: string } {
  const name = draw.hex(6);
  return { reached: `_r${name}`, alter: `_n${name}`, pass: `_o${name}` };
}

/**
 * A copy that must fail also fails if the altered value was not reached. `all`: the test has no other assertions, so that it shows
 * nothing if none was reached. Null: the test is a single line.
 */
export function failUnreached(
  test: SyntaxNode,
  reached: string,
  all: boolean,
  { fails, token, draw }: Order,
): Edit | null {
  const statements = runStatements(test);
  const [first] = statements;
  const last = statements.at(-1);
  const margin = first === undefined ? null : marginAt(test.source, first.start);
  if (last === undefined || margin === null) return null;
  const condition = comparisonText(drawComparison(draw, fails));
  const unreached = `${all ? `1 in ${reached} and ` : ''}0 not in ${reached}`;
  const check = `\n${margin}if ${unreached} and ${condition}: raise AssertionError("${token}")`;
  return insert(lineEnd(test.source, last.end), check);
}
