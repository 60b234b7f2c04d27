import { describe, expect, test } from 'vitest';
import { claimIn, declaredWait, verdictIn } from './claims.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(64);

describe('the claim of a status file', () => {
  test.each([
    ['the last one', `CLAIM ${A}\ntext\nCLAIM ${B}\n`, B],
    ['none in a code fence', `CLAIM ${A}\n\`\`\`\nCLAIM ${B}\n\`\`\`\n`, A],
    ['none in a fence that is never closed', `CLAIM ${A}\n~~~\nCLAIM ${B}\n`, A],
    ['none after a fence of other characters', `CLAIM ${A}\n\`\`\`\n~~~\nCLAIM ${B}\n`, A],
    ['one after a fence', `\`\`\`sh\nx\n\`\`\`\nCLAIM ${A}\n`, A],
    ['none with anything else on its line', `CLAIM ${A} done\n  CLAIM ${A}\n> CLAIM ${A}\nclaim ${A}\n`, null],
    ['none of an abbreviated id', 'CLAIM abc123\n', null],
    ['one in a file with Windows line ends', `CLAIM ${A}\r\n`, A],
  ])('is %s', (_what, text, claim) => {
    expect(claimIn(text)).toBe(claim);
  });
});

test('the verdict of a review is its last one', () => {
  expect(verdictIn(`VERDICT PASS ${A}\nVERDICT FAIL ${A}\n`)).toEqual({ verdict: 'FAIL', commit: A });
  expect(verdictIn(`VERDICT MAYBE ${A}\n`)).toBeNull();
});

test('a builder can say until when it waits', () => {
  expect(declaredWait('WAITING until 2026-06-13T20:00Z for the release\n')).toEqual(new Date('2026-06-13T20:00:00Z'));
  expect(declaredWait('WAITING for something\n')).toBeNull();
});
