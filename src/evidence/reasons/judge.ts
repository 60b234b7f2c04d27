import type { Explanation } from './explanation.ts';

/** What the tests showed, or did not. */
export const JUDGE: readonly Explanation[] = [
  { when: /^tests failed$/, means: 'The deciding tests ran on the patched tree and at least one did not pass.' },
  {
    when: /^expected tests not reported: /,
    means: 'Tests that must run never reported a result. Ending early or silencing a test is not passing it.',
  },
  { when: /^expected tests skipped: /, means: 'Tests that must pass were skipped. Skipping is not passing.' },
  { when: /^no tests ran$/, means: 'The runner ended without having run a single test.' },
  {
    when: /^test channel tampered: /,
    means: 'The stream of test results contradicts itself, so none of it is believed.',
  },
  {
    when: /^the code under test ended before the tests did$/,
    means: 'The code under test went away while tests still called it, so what it did not answer is not proven.',
  },
  { when: /^tests timed out$/, means: 'The tests did not end within their time limit and were stopped.' },
  { when: /^tests (?:went over the limit|were killed)/, means: 'The tests were stopped before they had ended.' },
  {
    when: /^the (?:tests|code under test) could not be started: /,
    means: 'The judge could not start the tests at all, so there is no verdict on the change.',
  },
  {
    when: /^not installed: /,
    means:
      'A program that the test command needs is neither in the base, nor set up, nor on this machine. Install it there and run again; a patch cannot bring it.',
  },
  {
    when: /^(?:it comes with the patch; |the patch changes node_modules|left out of the tree)/,
    means: 'A patch does not bring what runs its own tests.',
  },
  {
    when: /^the test runner exited with code /,
    means: 'Every test reported a pass, but the runner itself ended with an error.',
  },
  {
    when: /^tests newly failing: /,
    means: 'Tests that passed before the change fail with it. A change that breaks what worked proves nothing.',
  },
  {
    when: /^tests no longer reported: /,
    means:
      'Tests that ran before the change are skipped or missing with it: deleted, renamed, or not run any more. Nothing shows that they still pass.',
  },
  {
    when: /^tests do not run on the base$/,
    means:
      'The tests could not be run before the change, so nothing shows what it broke. The control under baseline/ says why; see that they run on the base.',
  },
  {
    when: /^baseline did not pass$/,
    means: 'The control run on the same contract did not pass, so this machine or task cannot prove anything now.',
  },
];
