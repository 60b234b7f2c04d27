import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Draw } from '../../draw.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { similarInteger, similarText } from '../similar-values.ts';

/** Literals that are values, or values in slices, maps and structs. */
export function goLiterals(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case 'composite_literal':
      return node.childrenBy('body').flatMap(goLiterals);
    case 'literal_value':
    case 'literal_element':
    case 'parenthesized_expression':
      return node.parts.flatMap(goLiterals);
    case 'keyed_element':
      return node.childrenBy('value').flatMap(goLiterals);
    case 'unary_expression':
      return /^[-&]$/.test(node.child('operator')?.type ?? '') ? node.childrenBy('operand').flatMap(goLiterals) : [];
    case 'int_literal':
      return /^(?:0|[1-9]\d*)$/.test(node.text) ? [node] : [];
    case 'interpreted_string_literal':
    case 'raw_string_literal':
    case 'true':
    case 'false':
      return [node];
    default:
      return [];
  }
}

/** A constant expression, which is valid wherever the literal was. Go has no conditional expression for constants. */
export function spellLiteral(literal: SyntaxNode, altered: boolean, draw: Draw): string | null {
  const { text } = literal;
  switch (literal.type) {
    case 'int_literal': {
      // A smaller value fits even into unsigned and small types.
      const near = similarInteger(text, draw, true);
      const plus = BigInt(draw.between(1000, 4999));
      return near === null ? null : `(${BigInt(altered ? near : text) + plus} - ${plus})`;
    }
    case 'interpreted_string_literal':
    case 'raw_string_literal': {
      const quote = text[0] ?? '"';
      const own = text.slice(1, -1);
      const near = similarText(own, draw);
      const used = altered ? near : own;
      const at = splitPlace(used, draw);
      return `(${quote}${used.slice(0, at)}${quote} + ${quote}${used.slice(at)}${quote})`;
    }
    default:
      return `(${comparisonText(drawComparison(draw, (literal.type === 'true') !== altered))})`;
  }
}

/** Not inside an escape sequence or a surrogate pair. */
function splitPlace(text: string, draw: Draw): number {
  const backslash = text.indexOf('\\');
  const most = backslash === -1 ? text.length : backslash;
  const at = draw.below(most + 1);
  return /^[\uDC00-\uDFFF]/.test(text.slice(at)) ? at - 1 : at;
}
