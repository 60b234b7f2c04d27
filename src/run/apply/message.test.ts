import { expect, it } from 'vitest';
import { commitMessage, mergedInto, whyUnproven } from './message.ts';

const facts = {
  instruction: 'Mend it.\n\nAll of it.\n',
  runId: 'run-1',
  attestation: 'ab',
  unproven: [],
  leftOut: [],
  withTests: [],
};

it('a commit message contains the request, the run and the evidence', () => {
  expect(commitMessage(facts)).toBe('Mend it.\n\nAll of it.\n\nSeatrial-Run: run-1\nSeatrial-Attestation: sha256:ab\n');
});

it('a long first line is shortened for the subject and kept in the body', () => {
  const instruction = 'x'.repeat(100);
  const [subject, , body] = commitMessage({ ...facts, instruction }).split('\n');
  expect(subject).toBe(`${'x'.repeat(71)}…`);
  expect(body).toBe(instruction);
});

it('each reason why a commit is not proven has its own one-line trailer', () => {
  const unproven = [
    ...whyUnproven({
      report: { status: 'fail', failure_reason: 'tests\nSeatrial-Run: forged' },
      unknownSigner: 'c'.repeat(64),
    }),
    mergedInto('d'.repeat(40)),
  ];
  const trailers = commitMessage({ ...facts, unproven })
    .split('\n\n')
    .at(-1);
  expect(trailers?.split('\n').slice(2)).toEqual([
    'Seatrial-Status: unproven (tests Seatrial-Run: forged)',
    `Seatrial-Status: unproven (signer unknown: key ${'c'.repeat(16)}…)`,
    `Seatrial-Status: unproven (merged into ${'d'.repeat(12)}; the merged tree was not judged)`,
    '',
  ]);
  expect(whyUnproven({ report: { status: 'pass', failure_reason: null }, unknownSigner: null })).toEqual([]);
});

it('names the changed tests that are not part of the commit, or that are although they had no vote', () => {
  expect(commitMessage({ ...facts, leftOut: ['tests/a.py'] })).toContain('\nSeatrial-Left-Out: tests/a.py\n');
  expect(commitMessage({ ...facts, withTests: ['tests/a.py'] })).toContain('\nSeatrial-No-Vote: tests/a.py\n');
});
