import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reason } from '../reasons/catalogue.ts';
import type { Reason } from '../reasons/reason.ts';
import { type Blocker, decideVerdict, type StepName, STEPS, type Verdict } from './verdict.ts';

const blocker = fc.record(
  {
    step: fc.constantFrom(...STEPS),
    code: fc.string({ minLength: 1 }),
    text: fc.string({ minLength: 1 }),
    kind: fc.constantFrom('fail', 'blocked', 'lost'),
    cause: fc.constantFrom('interruption', 'provider', 'protocol', 'regression'),
  },
  { requiredKeys: ['step', 'code', 'text', 'kind'] },
) satisfies fc.Arbitrary<Blocker>;

test('nothing against it is a pass, and anything against it is not', () => {
  fc.assert(
    fc.property(fc.array(blocker), (found) => {
      const verdict = decideVerdict(found);
      expect(verdict.status === 'pass').toBe(found.length === 0);
      expect(new Set(texts(verdict))).toEqual(new Set(found.map(({ text }) => text)));
      expect(verdict.failureReason).toBe(verdict.blockers[0]?.text ?? null);
    }),
  );
});

const given = (step: StepName, { code, text, status, cause }: Reason): Blocker => ({
  step,
  code,
  text,
  kind: status,
  ...(cause === undefined ? {} : { cause }),
});
const texts = ({ blockers }: Verdict): string[] => blockers.map(({ text }) => text);
const FAILED = given('judge', reason('tests_failed'));
const BROKEN = given('control', reason('tests_newly_failing', { n: 3 }));

test('the first step decides, whatever order things were found in', () => {
  const unchanged = given('diff', reason('no_diff'));
  expect(decideVerdict([FAILED, unchanged])).toMatchObject({ status: 'fail', failureReason: unchanged.text });
});

test('which tests a change broke says more than that tests failed, and less than what came before judging', () => {
  expect(texts(decideVerdict([FAILED, BROKEN]))).toEqual([BROKEN.text, FAILED.text]);
  const denied = given('approvals', reason('approval_denied', { action: 'deliver' }));
  expect(decideVerdict([FAILED, BROKEN, denied]).failureReason).toBe(denied.text);
});

test('any other reason of the judge comes before the tests that are missing because of it', () => {
  const late = given('judge', reason('tests_timed_out'));
  expect(texts(decideVerdict([BROKEN, late]))).toEqual([late.text, BROKEN.text]);
});

test('a cause outranks its symptom, and lost evidence outranks both', () => {
  const exit = given('engine', reason('engine_failed', { engine: 'fake', exit: 69 }));
  const provider = given('engine', reason('provider_unavailable'));
  expect(decideVerdict([exit, provider])).toMatchObject({ status: 'blocked', failureReason: provider.text });
  const protocol: Blocker = { step: 'engine', code: 'own', text: 'own protocol', kind: 'fail', cause: 'protocol' };
  expect(texts(decideVerdict([protocol, exit, provider]))).toEqual([provider.text, protocol.text, exit.text]);
  const lost = given('seal', reason('artifact_write_failed', { path: 'x' }));
  expect(decideVerdict([exit, provider, lost])).toMatchObject({ status: 'blocked', failureReason: lost.text });
});

test('a run that never came to its end says so first, and lists what it had found', () => {
  const interrupted = given('seal', reason('run_interrupted'));
  const lost = given('engine', reason('artifact_write_failed', { path: 'x' }));
  expect(texts(decideVerdict([FAILED, lost, interrupted]))).toEqual([interrupted.text, lost.text, FAILED.text]);
});

test('a control that did not pass outranks what the engine did: nothing could be proven', () => {
  const control = given('control', reason('baseline_failed'));
  expect(decideVerdict([FAILED, control])).toMatchObject({ status: 'blocked', failureReason: control.text });
});
