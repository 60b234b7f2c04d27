import type { Draw } from './draw.ts';

/**
 * A failure message that can be found in the output and that a forger cannot distinguish from the tests' own messages. It needs no
 * escaping in any language.
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
