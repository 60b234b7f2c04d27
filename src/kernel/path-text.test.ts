import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathBytes, pathText } from './path-text.ts';

test('every file name has exactly one text, which converts back to the name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      expect(pathBytes(pathText(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('plain names stay readable, others are quoted as git quotes them', () => {
  expect(pathText(Buffer.from('src/größe.py'))).toBe('src/größe.py');
  expect(pathText(Buffer.from('a\nb'))).toBe('"a\\nb"');
  expect(pathText(Buffer.from([0x61, 0xff]))).toBe('"a\\377"');
});
