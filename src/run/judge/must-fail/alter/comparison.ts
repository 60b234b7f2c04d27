import type { Draw } from '../draw.ts';

/** A comparison of constants, `left + plus < right` or with `>`, whose result is not obvious without calculating it. */
export interface Comparison {
  readonly left: number;
  readonly plus: number;
  readonly sign: '<' | '>';
  readonly right: number;
}

export function drawComparison(draw: Draw, truth: boolean): Comparison {
  const left = draw.between(1000, 4999);
  const plus = draw.between(11, 99);
  const sign = draw.heads() ? '<' : '>';
  const apart = draw.between(3, 90);
  const rightIsMore = (sign === '<') === truth;
  return { left, plus, sign, right: left + plus + (rightIsMore ? apart : -apart) };
}

/** As Python, JavaScript, Go, Rust and C write it. */
export function comparisonText({ left, plus, sign, right }: Comparison): string {
  return `${left} + ${plus} ${sign} ${right}`;
}

/** Two expressions in random order: the first applies if the condition holds, otherwise the second. */
export interface Choice {
  readonly condition: string;
  readonly first: string;
  readonly second: string;
}

export function drawChoice(draw: Draw, own: string, near: string, choosesNear: boolean): Choice {
  const nearFirst = draw.heads();
  const condition = comparisonText(drawComparison(draw, nearFirst === choosesNear));
  return nearFirst ? { condition, first: near, second: own } : { condition, first: own, second: near };
}
