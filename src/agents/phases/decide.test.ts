import { describe, expect, test } from 'vitest';
import { journalOf } from '../journal/entries.fixture.ts';
import { foldJournal } from '../journal/fold.ts';
import { newPhaseHistory } from '../journal/phase-history.ts';
import type { JournalFact } from '../journal/schema.ts';
import { decidePhase, type PhaseFacts } from './decide.ts';

const NOW = new Date('2026-06-13T20:00:00.000Z');
const C = 'c'.repeat(40);
const BEGAN: JournalFact = { type: 'phase.began', phase: 'one', index: 0, base: 'b'.repeat(40) };
const CLAIM: JournalFact = { type: 'claim.seen', phase: 'one', commit: C, agent: 'builder', spawn: 's' };
const HANDED: JournalFact = { type: 'claim.handed', phase: 'one', commit: C, review_length: 0 };
const verdict = (word: 'PASS' | 'FAIL'): JournalFact => ({
  type: 'verdict.seen',
  phase: 'one',
  commit: C,
  verdict: word,
  text: '',
});
const proof = (word: 'pass' | 'fail' | 'blocked', attempt = 1): JournalFact[] => [
  { type: 'proof.started', phase: 'one', commit: C, attempt },
  { type: 'proof.ended', phase: 'one', commit: C, attempt, verdict: word, reason: null, bundle: 'runs/x' },
];
const landing = (word: 'landed' | 'fail' | 'blocked', attempt = 1): JournalFact[] => [
  { type: 'landing.started', phase: 'one', commit: C, attempt },
  {
    type: 'landing.ended',
    phase: 'one',
    commit: C,
    attempt,
    verdict: word,
    reason: null,
    landed: word === 'landed' ? 'd'.repeat(40) : null,
  },
];
const TESTED = { id: 'one', plan: 'p', models: undefined, proof: { test: 'true' } };

function decide(facts: readonly JournalFact[], changes: Partial<PhaseFacts> = {}, at = '2026-06-13T19:00:00.000Z') {
  const history = foldJournal(journalOf(facts, at));
  return decidePhase(
    {
      phase: TESTED,
      history: history.phases.get('one') ?? newPhaseHistory('one'),
      hasAdversary: true,
      adversaryStopped: false,
      claim: null,
      verdict: null,
      review: '',
      proofRunning: false,
      maxRounds: 5,
      ...changes,
    },
    NOW,
  );
}

describe('a phase', () => {
  test.each<[string, ReturnType<typeof decide>, object | null]>([
    ['begins', decide([]), { do: 'begin' }],
    ['waits for a claim', decide([BEGAN]), null],
    ['accepts a claim', decide([BEGAN], { claim: { commit: C, fault: null } }), { do: 'accept-claim' }],
    [
      'answers a wrong claim',
      decide([BEGAN], { claim: { commit: C, fault: 'no' } }),
      { do: 'refuse-claim', why: 'no' },
    ],
    [
      'answers it once',
      decide([BEGAN, { type: 'claim.refused', phase: 'one', claim: C, why: 'no' }], {
        claim: { commit: C, fault: 'no' },
      }),
      null,
    ],
    ['waits until the adversary has stopped', decide([BEGAN, CLAIM]), null],
    ['hands the claim over', decide([BEGAN, CLAIM], { adversaryStopped: true }), { do: 'hand-over', commit: C }],
    ['takes no verdict before that', decide([BEGAN, CLAIM], { verdict: { verdict: 'PASS', commit: C } }), null],
    ['waits for a verdict', decide([BEGAN, CLAIM, HANDED]), null],
    [
      'takes a verdict on the claim',
      decide([BEGAN, CLAIM, HANDED], { verdict: { verdict: 'PASS', commit: C } }),
      { do: 'record-verdict' },
    ],
    [
      'ignores one on another commit',
      decide([BEGAN, CLAIM, HANDED], { verdict: { verdict: 'PASS', commit: 'd' } }),
      null,
    ],
    ['is proven after a PASS', decide([BEGAN, CLAIM, HANDED, verdict('PASS')]), { do: 'run-proof', attempt: 1 }],
    ['waits for its proof', decide([BEGAN, CLAIM, HANDED, verdict('PASS')], { proofRunning: true }), null],
    ['waits for a new claim after a FAIL', decide([BEGAN, CLAIM, HANDED, verdict('FAIL')]), null],
    [
      'does not take back a FAIL',
      decide([BEGAN, CLAIM, HANDED, verdict('FAIL')], { verdict: { verdict: 'PASS', commit: C } }),
      null,
    ],
    [
      'ends when claim, verdict and proof agree',
      decide([BEGAN, CLAIM, HANDED, verdict('PASS'), ...proof('pass')]),
      { do: 'advance', outcome: 'proven' },
    ],
    ['does not end with a failed proof', decide([BEGAN, CLAIM, HANDED, verdict('PASS'), ...proof('fail')]), null],
    [
      'is agreed, not proven, without a proof',
      decide([BEGAN, CLAIM, HANDED, verdict('PASS')], { phase: { ...TESTED, proof: null } }),
      { do: 'advance', outcome: 'agreed', bundle: null },
    ],
    ['needs no adversary if it has a proof', decide([BEGAN, CLAIM], { hasAdversary: false }), { do: 'run-proof' }],
    [
      'tries a blocked proof again',
      decide([BEGAN, CLAIM, HANDED, verdict('PASS'), ...proof('blocked')]),
      { do: 'run-proof', attempt: 2 },
    ],
    [
      'but not at once',
      decide([BEGAN, CLAIM, HANDED, verdict('PASS'), ...proof('blocked')], {}, '2026-06-13T19:59:58.000Z'),
      null,
    ],
    [
      'asks for a person when it stays blocked',
      decide([BEGAN, CLAIM, HANDED, verdict('PASS'), ...[1, 2, 3, 4].flatMap((n) => proof('blocked', n))]),
      { do: 'ask-person', what: 'proof blocked' },
    ],
    [
      'does nothing after its end',
      decide([
        BEGAN,
        CLAIM,
        HANDED,
        { type: 'phase.ended', phase: 'one', index: 0, outcome: 'agreed', commit: C, bundle: null },
      ]),
      null,
    ],
  ])('%s', (_what, action, expected) => {
    expect({ action }).toMatchObject({ action: expected });
  });

  describe('with a landing', () => {
    const PROVEN = [BEGAN, CLAIM, HANDED, verdict('PASS'), ...proof('pass')];
    const phase = { ...TESTED, proof: { test: 'true', land: 'main' } };
    test.each<[string, readonly JournalFact[], object | null]>([
      ['lands what is proven', [], { do: 'land', attempt: 1, branch: 'main', bundle: 'runs/x' }],
      ['lands again what was killed', landing('landed').slice(0, 1), { do: 'land', attempt: 2 }],
      ['ends when it has landed', landing('landed'), { do: 'advance', outcome: 'proven', landed: 'd'.repeat(40) }],
      ['waits for a new claim if the builder has to mend it', landing('fail'), null],
      ['tries again what was held', landing('blocked'), { do: 'land', attempt: 2 }],
      [
        'asks for a person when it stays held',
        [1, 2, 3, 4].flatMap((n) => landing('blocked', n)),
        { do: 'ask-person', what: 'landing on main' },
      ],
    ])('%s', (_what, facts, expected) => {
      expect({ action: decide([...PROVEN, ...facts], { phase }) }).toMatchObject({ action: expected });
    });

    test('counts a landing that the builder has to mend as a round', () => {
      expect(decide([...PROVEN, ...landing('fail')], { phase, maxRounds: 1 })).toMatchObject({ what: '1 rounds' });
    });
  });

  test('asks for a person after as many rounds as are allowed', () => {
    const rounds = Array.from({ length: 5 }, () => [CLAIM, HANDED, verdict('FAIL')]).flat();
    expect(decide([BEGAN, ...rounds.slice(0, -3)])).toBeNull();
    expect(decide([BEGAN, ...rounds])).toEqual({ do: 'ask-person', what: '5 rounds' });
  });

  test('a claim that both the adversary and the proof turn down is one round', () => {
    const both = [CLAIM, HANDED, verdict('FAIL'), ...proof('fail')];
    expect(decide([BEGAN, ...both], { maxRounds: 2 })).toBeNull();
  });
});
