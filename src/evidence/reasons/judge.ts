import type { Explanation } from './explanation.ts';

/** What the tests showed, or did not. */
export const JUDGE: readonly Explanation[] = [
  {
    when: /^changes what decides: /,
    means:
      'The patch changes or adds a file that can change what the tests report, so it cannot be judged by them. If the change is meant, name the file with --allow-deciding.',
  },
  {
    when: /^dependency not installed: /,
    means:
      "The patch changes what the product depends on, and that could not be installed for judging: only packages of the base's registries that need no install script are. Add the dependency yourself and run again.",
  },
  {
    when: /^no failing test was fixed$/,
    means:
      'Tests fail on the base and none of them passes with the patch. List tests that are known to fail as known_failing in .seatrial/task.toml.',
  },
  {
    when: /^tests cannot fail: /,
    means:
      'Copies of these tests that had to fail were reported as passed with this patch in place, so their results are worth nothing.',
  },
  {
    when: /^test files changed while judging$/,
    means: 'A file that decides was written while the tests ran, which the tests on the base do not do.',
  },
  {
    when: /^the patch changes what tests demand: /,
    means:
      "Tests of the base fail, and the patch's own version of them passes: it changes what is asked for. Whether that is meant is for a person to say, with --allow-deciding for the test files.",
  },
  {
    when: /^no tests on the base$/,
    means:
      'The test command ran and reported no test on the tree before the change, so nothing could decide. Check --test.',
  },
  {
    when: /^sealed tests not reported on the base: /,
    means:
      'The test command ran and reported nothing from a sealed test. Lay the sealed tests out as in the repository, where its runner finds them, or widen --test.',
  },
  {
    when: /^no sealed test fails on the base$/,
    means:
      'Every sealed test passes before the change, so passing again would show nothing. Add one that fails until the work is done.',
  },
  {
    when: /^tests are not stable$/,
    means: 'More than one test in twenty comes out differently when it is repeated, so the suite cannot decide.',
  },
  {
    when: /^only an exit code$/,
    means:
      'The command reports no tests by name, and an exit code is easy to forge. Use a test runner that Seatrial knows, or accept it with --accept exit_code.',
  },
  {
    when: /^test command hides failures$/,
    means: 'The command can succeed although a test fails (`|| true`, `;`, a pipe). Give the test command alone.',
  },
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
