import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { drawChoice } from '../comparison.ts';
import { insert, type Order, replace } from '../order.ts';

export function choose(node: SyntaxNode, own: string, near: string, altered: boolean, { draw }: Order): Edit {
  const { condition, first, second } = drawChoice(draw, own, near, altered);
  return replace(node, `(${condition} ? ${first} : ${second})`);
}

/**
 * A value that cannot be altered makes the copy fail. If the copy needs to know which values were reached, `reached` records them: 0 for
 * the altered one, 1 for others. The caller then writes the end of a body that is an expression.
 */
export function defineHelpers(
  body: SyntaxNode,
  name: string,
  marks: { readonly reached: string; readonly pass: string } | null,
  { token, language }: Order,
): readonly Edit[] {
  const any = language === 'javascript' ? '' : ': any';
  const cases = [
    "typeof v==='boolean'?!v",
    "typeof v==='number'?Number.isFinite(v)?v+1!==v?v+1:-v:0",
    "typeof v==='bigint'?v+BigInt(1)",
    "typeof v==='string'?v.length>1&&v[0]!==v[1]?v[1]+v[0]+v.slice(2):v===''?'a':v+v[0]",
    'v===null||v===undefined?0',
    'Array.isArray(v)?[...v,0]',
    "Object.getPrototypeOf(v)===Object.prototype?{...v,['x'+Object.keys(v).length]:0}",
  ];
  const altered = `${cases.join(':')}:(()=>{throw new Error("${token}")})()`;
  const definition =
    marks === null
      ? `const ${name}=(v${any})${any}=>${altered};`
      : `const ${marks.reached}${any}=[];const ${marks.pass}=(v${any})${any}=>(${marks.reached}.push(1),v);const ${name}=(v${any})${any}=>(${marks.reached}.push(0),${altered});`;
  if (body.type === 'statement_block') return [insert(body.start + 1, definition)];
  return marks !== null
    ? [insert(body.start, `{${definition}`)]
    : [insert(body.start, `{${definition}return `), insert(body.end, '}')];
}
