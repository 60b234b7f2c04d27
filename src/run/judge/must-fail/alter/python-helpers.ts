import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { drawChoice } from './comparison.ts';
import { insert, type Order, replace } from './order.ts';
import { marginAt, runStatements } from './python-body.ts';

export function choose(node: SyntaxNode, own: string, near: string, altered: boolean, { draw }: Order): Edit {
  const { condition, first, second } = drawChoice(draw, own, near, altered);
  return replace(node, `(${first} if ${condition} else ${second})`);
}

/** What it cannot alter it fails by, as a copy that throws. Where it has to be known, `reached` is filled by each call. */
export function defineHelpers(
  test: SyntaxNode,
  [name, marks]: readonly [string, { readonly reached: string; readonly pass: string } | null],
  { token }: Order,
): Edit {
  const [first] = runStatements(test);
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
  const fail = `(_ for _ in ()).throw(AssertionError("${token}"))`;
  const altered = `${cases.join(' else ')} else ${fail}`;
  const definitions =
    marks === null
      ? [`${name} = lambda v: ${altered}`]
      : [
          `${marks.reached} = []`,
          `${marks.pass} = lambda v: (${marks.reached}.append(0), v)[1]`,
          `${name} = lambda v: (${marks.reached}.append(0), ${altered})[1]`,
        ];
  const at = first?.start ?? test.end;
  const margin = marginAt(test.source, at);
  return insert(at, margin === null ? `${definitions.join('; ')}; ` : `${definitions.join(`\n${margin}`)}\n${margin}`);
}
