import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathName, pathNameBytes } from './path-name.ts';

test('every path has a name of its own, and the name leads back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
      const path = Buffer.from(bytes);
      expect(pathNameBytes(pathName(path)).equals(path)).toBe(true);
    }),
  );
});

test('parts of a path keep their names whatever the directories are called', () => {
  const path = Buffer.concat([Buffer.from([0x61, 0xff, 0x22, 0x5c]), Buffer.from('/größe 🙂/conftest.py')]);
  expect(pathName(path)).toBe('a\udcff"\\/größe 🙂/conftest.py');
});
