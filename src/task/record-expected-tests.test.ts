import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { recordExpectedTests } from './record-expected-tests.ts';

const ids = ['a::b[x]', 'quote " and \\ and ]', 'größe'];

test.each([
  [
    'in place of the old list, and the comments around it stay',
    '# mine\n[seatrial]\nexpected_tests = ["old]", \'x\'] # why\nrisk_class = "low"\n',
  ],
  ['into the existing table', '[seatrial] # ours\nrisk_class = "low"\n[agent]\ntimeout_sec = 1\n'],
  ['into a new table', 'version = "1.0"\n'],
])('test ids are written %s', (_what, text) => {
  const written = recordExpectedTests(text, ids);
  expect(parse(written)).toEqual({
    ...parse(text),
    seatrial: { ...(parse(text)['seatrial'] as object), expected_tests: ids },
  });
  expect(written).toContain(text.match(/#.*/)?.[0] ?? '');
  expect(recordExpectedTests(written, ids)).toBe(written);
});
