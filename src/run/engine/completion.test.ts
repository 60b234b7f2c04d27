import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompletionFacts, isCommittedProof } from './completion.ts';

const PROVEN: CompletionFacts = {
  baseCommit: 'a',
  head: 'b',
  claim: 'bbbbbbb',
  claimed: 'b',
  holdsChange: true,
  changes: 1,
  disallowed: 0,
};

test('a moved HEAD that was claimed, with an allowed change, is a committed proof', () => {
  expect(isCommittedProof(PROVEN)).toBe(true);
});

test.each<[string, Partial<CompletionFacts>]>([
  ['HEAD has not moved', { head: 'a', claimed: 'a' }],
  ['another commit was claimed', { claimed: 'c' }],
  ['the claimed commit is not there', { claimed: null }],
  ['a name was claimed that is true of any commit', { claim: 'HEAD' }],
  ['there is no HEAD', { head: null, claimed: null }],
  ['it is not known where it began', { baseCommit: null }],
  ['the commit is an empty one', { holdsChange: false }],
  ['nothing is changed', { changes: 0 }],
  ['something is changed that may not be', { disallowed: 1 }],
])('it is none when %s', (_name, change) => {
  expect(isCommittedProof({ ...PROVEN, ...change })).toBe(false);
});

test('whatever is seen, it takes all of it', () => {
  const id = fc.constantFrom(null, 'a', 'b', 'c');
  const facts = fc.record({
    baseCommit: id,
    head: id,
    claim: fc.constantFrom('HEAD', 'bbbbbbb'),
    claimed: id,
    holdsChange: fc.boolean(),
    changes: fc.nat(2),
    disallowed: fc.nat(1),
  });
  fc.assert(
    fc.property(facts, (seen) => {
      if (!isCommittedProof(seen)) return;
      expect(seen.head).not.toBeNull();
      expect(seen.claim).not.toBe('HEAD');
      expect(seen).toMatchObject({ claimed: seen.head, holdsChange: true, disallowed: 0 });
      expect(seen.head).not.toBe(seen.baseCommit);
      expect(seen.changes).toBeGreaterThan(0);
    }),
  );
});
