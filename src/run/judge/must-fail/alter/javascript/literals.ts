import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Draw } from '../../draw.ts';
import { similarDecimal, similarInteger, similarText } from '../similar-values.ts';

const CONTAINERS = new Set(['array', 'object', 'pair', 'parenthesized_expression']);

/** The source of a value near the literal's. Null: not a literal, or it has no near value. */
export function nearLiteral(node: SyntaxNode, draw: Draw): string | null {
  switch (node.type) {
    case 'number':
      return nearNumber(node.text, draw);
    case 'true':
      return 'false';
    case 'false':
      return 'true';
    case 'null':
    case 'undefined':
      return '0';
    case 'unary_expression': {
      const argument = node.child('argument');
      const near =
        argument?.type === 'number' && node.child('operator')?.type === '-' ? nearNumber(argument.text, draw) : null;
      return near === null ? null : `-${near}`;
    }
    case 'template_string':
      if (node.firstOfType('template_substitution') !== null) return null;
      return `\`${similarText(node.text.slice(1, -1), draw)}\``;
    case 'string':
      return `${node.text[0]}${similarText(node.text.slice(1, -1), draw)}${node.text.at(-1)}`;
    default:
      return null;
  }
}

function nearNumber(text: string, draw: Draw): string | null {
  const big = /^(\d+)n$/.exec(text)?.[1];
  if (big !== undefined) return `${similarInteger(big, draw)}n`;
  // Not in the old octal form.
  return /^0\d/.test(text) ? null : (similarInteger(text, draw) ?? similarDecimal(text, draw));
}

/** Literals that are values, or values in arrays and objects. */
export function literalsIn(node: SyntaxNode, draw: Draw): readonly SyntaxNode[] {
  if (!CONTAINERS.has(node.type)) return nearLiteral(node, draw) === null ? [] : [node];
  const values = node.type === 'pair' ? node.childrenBy('value') : node.parts;
  return values.flatMap((value) => literalsIn(value, draw));
}
