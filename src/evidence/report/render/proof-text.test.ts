import { expect, it } from 'vitest';
import { proofText } from './proof-text.ts';
import { sampleReport } from './sample-report.fixture.ts';

it('long names leave room for how many tests were kept, and keep their file and their end', () => {
  const long = (end: string): string => `tests/a.test.js::${'when choices are called and '.repeat(12)}${end}`;
  const fixed = [long('changed later'), long('never changed'), 'tests/a.test.js::short'];
  const text = proofText({ ...sampleReport(), status: 'pass', proof: 'fixed', fixed });
  expect(text).toMatch(/^3 fixed \(tests\/a\.test\.js::when choices .*….* changed later and 2 more\), [\d,]+ kept$/);
  expect(text.length).toBeLessThan(260);
});
