import type { ReasonCatalogue } from './reason.ts';

/** What the tests of the base say about a change, and what the control showed. */
export const CHANGE_REASONS = {
  decides_changed: {
    text: 'changes what decides: {path}',
    status: 'fail',
    meaning:
      'The patch changes or adds a file that can change what the tests report, or code that detects tests, so the tests cannot judge it.',
    next: 'Ask for a change without it; if you have reviewed the file and want it, name it with --allow-deciding.',
  },
  tests_missing: {
    text: 'tests no longer reported: {n}',
    status: 'fail',
    cause: 'regression',
    meaning: 'Tests that ran before the change are skipped or missing with it: deleted, renamed, or not run any more.',
    next: 'Ask for a change that keeps these tests running.',
  },
  tests_newly_failing: {
    text: 'tests newly failing: {n}',
    status: 'fail',
    cause: 'regression',
    meaning: 'Tests that passed before the change fail with it.',
    next: 'Ask for a change that keeps these tests passing.',
  },
  nothing_fixed: {
    text: 'no failing test was fixed',
    status: 'fail',
    meaning: 'Tests fail on the base and none of them passes with the patch.',
    next: 'Ask for a change that makes one of them pass; list tests that are known to fail as known_failing in .seatrial/task.toml.',
  },
  failing_tests_removed: {
    text: 'failing tests were removed from {path}, not fixed: {tests}',
    status: 'fail',
    meaning:
      "The patch deletes or renames these tests. The base's version of the file was run, and there they still fail.",
    next: 'Ask for a change of the product; if the tests themselves are wrong, name their file with --allow-deciding.',
  },
  failing_tests_skipped: {
    text: 'failing tests are skipped in {path}, not fixed: {tests}',
    status: 'fail',
    meaning: "The patch has these tests skipped. The base's version of the file was run, and there they still fail.",
    next: 'Ask for a change of the product; if the tests themselves are wrong, name their file with --allow-deciding.',
  },
  failing_tests_weakened: {
    text: 'failing tests pass only as changed in {path}: {tests}',
    status: 'fail',
    meaning:
      "The patch changes these tests until they pass. The base's version of the file was run, and there they still fail.",
    next: 'Ask for a change of the product; if the tests themselves are wrong, name their file with --allow-deciding.',
  },
  failing_tests_excused: {
    text: 'only a change of what tests use keeps them from failing: {paths} ({tests})',
    status: 'fail',
    meaning:
      "The patch changes helpers, fixtures, settings or scripts of the tests. With the base's version of these files the tests still fail.",
    next: 'Ask for a change of the product; if these files are wrong, name them with --allow-deciding.',
  },
  changed_tests_cut_short: {
    text: 'the changed tests do not run to their end: {paths} ({tests})',
    status: 'fail',
    meaning:
      "With the patch's version of these files the run ends early or breaks. With the base's version the tests still fail.",
    next: 'Ask for a change of the product, and read test.log for what stopped them.',
  },
  test_settings_changed: {
    text: 'the patch changes settings of the tests: {path} ({keys})',
    status: 'fail',
    meaning: "These keys say what runs as a test, and how. The base's values were used, and tests still fail.",
    next: 'Ask for a change of the product; if you want other settings, change them yourself.',
  },
  tests_cannot_fail: {
    text: 'tests cannot fail: {n}',
    status: 'fail',
    retry: 'never',
    meaning:
      'Altered copies of these tests, which must fail, pass with this patch, so the results of the tests mean nothing.',
    next: 'Review the patch for code that interferes with the tests.',
  },
  passes_beside_tests_only: {
    text: 'passes only in the process of its tests: {tests}',
    status: 'fail',
    retry: 'never',
    meaning:
      'These tests pass under their test runner, and fail when the same code runs without it: the code behaves differently while it is tested.',
    next: 'Review the patch for code that finds out whether tests run it.',
  },
  stops_working: {
    text: 'works only for its first calls: {tests}',
    status: 'fail',
    retry: 'never',
    meaning:
      'These tests pass at first, and then fail when they are repeated in the same process or when the clock is set ahead: the code changes its answers after some calls or some time.',
    next: 'Review the patch for code that counts its calls, reads a clock or answers at random.',
  },
  passes_in_one_place: {
    text: "passes only with the judge's time zone, language or lack of a network: {tests}",
    status: 'fail',
    retry: 'never',
    meaning:
      'These tests do not mention times, languages or networks. But they fail in another time zone and language, or the code tries to reach a network before it answers.',
    next: 'Review the patch for code that checks where it runs; if its answers must depend on that, mention it in the tests.',
  },
  test_files_changed: {
    text: 'test files changed while judging',
    status: 'fail',
    retry: 'never',
    meaning: 'A deciding file was written while the tests ran, which the tests on the base do not do.',
    next: 'Review the patch for code that writes test files.',
  },
  demand_changed: {
    text: 'the patch changes what tests demand: {n}',
    status: 'blocked',
    meaning: "Tests of the base fail, and the patch's own version of them passes: the patch changes what is required.",
    next: 'Read the changed tests; if they say what you want, `seatrial approve <run> --all` judges the change again by them.',
  },
  no_tests_on_base: {
    text: 'no tests on the base',
    status: 'blocked',
    output: 'tests',
    meaning: 'The test command ran and reported no test on the tree before the change, so nothing could decide.',
    next: 'Give a --test command that runs them; for a repository without tests, add some of your own with --sealed <dir>.',
  },
  sealed_tests_missing: {
    text: 'sealed tests not reported on the base: {path}',
    status: 'blocked',
    meaning: 'The test command ran and reported nothing from a sealed test.',
    next: 'Lay the sealed tests out as in the repository, where its runner finds them, or widen --test.',
  },
  no_sealed_test_fails: {
    text: 'no sealed test fails on the base',
    status: 'blocked',
    meaning: 'Every sealed test passes before the change, so passing again would show nothing.',
    next: 'Add a sealed test that fails until the work is done.',
  },
  tests_not_run_on_base: {
    text: 'tests do not run on the base',
    status: 'blocked',
    output: 'tests',
    meaning: 'The tests could not be run before the change, so nothing shows what it broke.',
    next: 'Read test.log, and make the tests run on the base first.',
  },
  tests_unstable: {
    text: 'tests are not stable',
    status: 'blocked',
    meaning: 'More than one test in twenty gives different results when repeated, so the suite cannot decide.',
    next: 'Fix the unstable tests, or give a narrower test command.',
  },
  only_exit_code: {
    text: 'only an exit code',
    status: 'blocked',
    meaning: 'The command reports no tests by name, and an exit code is easy to forge.',
    next: 'Use a test runner that Seatrial knows, or accept it: --accept exit_code, or accept = "exit_code" in .seatrial/task.toml.',
  },
  baseline_failed: {
    text: 'baseline did not pass',
    status: 'blocked',
    meaning: 'The control run on the same contract did not pass, so this machine or task cannot prove anything now.',
    next: 'Read baseline/report.html for why the control did not pass.',
  },
  dependency_not_installed: {
    text: 'dependency not installed: {why}',
    status: 'blocked',
    meaning:
      "The patch changes what the product depends on, and that could not be installed for judging: only packages from the base's registries that need no install script are.",
    next: 'Read backend/changed-dependencies/ for the output; add the dependency to the repository yourself, then run again.',
  },
} as const satisfies ReasonCatalogue;
