import type { Draw } from './draw.ts';

/**
 * A failure's message that is found again in the output, and that a forger cannot tell from one of the tests' own. No letter
 * in it needs escaping in any language.
 */
export function drawToken(draw: Draw): string {
  const [one, other] = [draw.between(100_000, 999_999), draw.between(100_000, 999_999)];
  const phrases = [
    `expected ${one}, got ${other}`,
    `${one} != ${other}`,
    `assert ${one} == ${other}`,
    `${one} should be ${other}`,
    `expected ${one} to equal ${other}`,
    `${one} is not ${other}`,
  ];
  return draw.pick(phrases) ?? `${one} != ${other}`;
}
