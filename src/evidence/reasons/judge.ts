import type { ReasonCatalogue } from './reason.ts';

/** What the tests showed on the patched tree. */
export const JUDGE_REASONS = {
  tests_failed: {
    text: 'tests failed',
    status: 'fail',
    meaning: 'At least one deciding test did not pass on the patched tree.',
    next: 'Read test.log for the output of the tests.',
  },
  expected_tests_missing: {
    text: 'expected tests not reported: {n}',
    status: 'fail',
    meaning: 'Tests that must run never reported a result. Ending early or silencing a test is not passing it.',
    next: 'Read test.log to see where the tests stopped.',
  },
  expected_tests_skipped: {
    text: 'expected tests skipped: {n}',
    status: 'fail',
    meaning: 'Tests that must pass were skipped. Skipping is not passing.',
    next: 'Read test.log to see why they were skipped.',
  },
  no_tests_ran: {
    text: 'no tests ran',
    status: 'fail',
    meaning: 'The runner ended without having run a single test.',
    next: 'Read test.log, and check the test command.',
  },
  test_channel_tampered: {
    text: 'test channel tampered: {how}',
    status: 'fail',
    retry: 'never',
    meaning: 'The stream of test results contradicts itself, so none of it counts.',
    next: 'Read test.log, and review the patch for code that interferes with the tests.',
  },
  subject_ended_early: {
    text: 'the code under test ended before the tests did',
    status: 'fail',
    meaning: 'The code under test exited while tests still called it, so the calls it did not answer prove nothing.',
    next: 'Read test.log, and review the patch for code that ends its process.',
  },
  tests_timed_out: {
    text: 'tests timed out',
    status: 'fail',
    meaning: 'The tests did not end within their time limit and were stopped.',
    next: 'Raise the time limit (verifier timeout_sec), or give a narrower test command.',
  },
  tests_over_limit: {
    text: 'tests went over the limit: {limit}',
    status: 'fail',
    meaning: 'The tests used more than they may and were stopped.',
    next: 'Read test.log to see what the tests were doing.',
  },
  tests_killed: {
    text: 'tests were killed',
    status: 'fail',
    meaning: 'Something outside the run ended the tests before they finished.',
    next: 'Check the memory of this machine, then run again.',
  },
  test_step_failed: {
    text: 'command failed: {command} ({how})',
    status: 'fail',
    meaning: 'A part of the test command that reports no tests, such as a build, failed.',
    next: 'Read test.log for its output.',
  },
  runner_exit_code: {
    text: 'the test runner exited with code {exit}',
    status: 'fail',
    meaning: 'Every test reported a pass, but the runner itself ended with an error.',
    next: 'Read test.log for the error.',
  },
  not_installed: {
    text: 'not installed: {program}',
    status: 'blocked',
    meaning: 'The test command needs a program that is neither in the base, nor set up, nor on this machine.',
    next: 'Install the program and run again; a patch cannot bring it.',
  },
  tests_not_started: {
    text: 'the tests could not be started: {why}',
    status: 'blocked',
    meaning: 'The judge could not start the tests, so there is no verdict on the change.',
    next: 'Fix what the reason names, then run again.',
  },
  subject_not_started: {
    text: 'the code under test could not be started: {why}',
    status: 'blocked',
    meaning: 'The judge could not start the code under test, so there is no verdict on the change.',
    next: 'Fix what the reason names, then run again.',
  },
  hides_failures: {
    text: 'test command hides failures',
    status: 'blocked',
    meaning: 'The command can succeed although a test fails (`|| true`, `;`, a pipe).',
    next: 'Give the test command alone.',
  },
  runner_unusable: {
    text: '{why}',
    status: 'blocked',
    meaning: 'The test runner cannot be used for judging as it is.',
    next: 'Change what the reason names, then run again.',
  },
  detail: {
    text: '{text}',
    status: 'blocked',
    meaning: 'Says more about the reason before it.',
    next: 'Follow the reason before it.',
  },
} as const satisfies ReasonCatalogue;
