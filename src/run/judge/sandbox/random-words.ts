import { randomInt } from 'node:crypto';

export const drawOne = (...choices: readonly string[]): string => choices[randomInt(choices.length)] ?? '';

/** Letters that mean nothing, as short as names are. */
export const someWord = (): string =>
  Array.from({ length: randomInt(3, 9) }, () => String.fromCodePoint(97 + randomInt(26))).join('');
