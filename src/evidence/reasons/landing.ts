import type { ReasonCatalogue } from './reason.ts';

/** Why a proven change does not land on a branch. */
export const LANDING_REASONS = {
  landing_conflict: {
    text: 'conflicts with {branch} in {files}',
    status: 'blocked',
    meaning: 'The branch has newer changes in the same places, so there is no merged tree to judge.',
    next: 'Run the engine again from the tip of the branch, then land that run.',
  },
  landing_failed: {
    text: 'merged with {branch}, it does not pass: {why}',
    status: 'fail',
    meaning: 'The change passes alone, but not together with what is on the branch now.',
    next: 'Read the bundle of the judgement; run the engine again from the tip of the branch, then land that run.',
  },
  landing_blocked: {
    text: 'merged with {branch}, it could not be judged: {why}',
    status: 'blocked',
    meaning: 'The merged tree has no verdict, so the branch was not moved.',
    next: 'Read the bundle of the judgement, fix what it names, and land again.',
  },
  landing_no_tests: {
    text: 'no tests ran on the merged tree: {why}',
    status: 'blocked',
    meaning: 'Without test names, an exit code alone cannot tell a pass from a command that did nothing.',
    next: 'Use a test runner that Seatrial knows, or give --accept exit_code to land by exit code.',
  },
  landing_flaky: {
    text: 'flaky tests: {tests}',
    status: 'blocked',
    meaning: 'These tests pass and fail on the same tree, so they cannot say whether the merged tree is sound.',
    next: 'Fix the tests, or list them as known_failing in .seatrial/task.toml; then land again.',
  },
  landing_added_tests_fail: {
    text: 'tests of the change fail on the merged tree: {tests}',
    status: 'fail',
    meaning: 'They have no vote on the change, but they would fail on the branch for everybody else.',
    next: 'Run the engine again from the tip of the branch, then land that run.',
  },
  landing_no_vote: {
    text: 'had no vote on the merged tree: {files}',
    status: 'blocked',
    meaning:
      'The tests of the branch use these files, so they were judged as the branch has them, not as the change leaves them.',
    next: 'Review the changes of these files, then land with --with-tests.',
  },
  landing_moved: {
    text: '{branch} moved {n} times while the merged tree was judged',
    status: 'blocked',
    meaning: 'A landing is proven for one tip only, and each time another commit came first.',
    next: 'Land again when fewer commits are pushed to the branch.',
  },
  landing_differs: {
    text: 'the judged tree is {judged}, not {tree} as merged',
    status: 'blocked',
    meaning: 'What was judged is not what would land, so nothing was moved.',
    next: 'Report it with the bundle of the judgement.',
  },
  landing_filtered: {
    text: '{files}: converted by the git filter {filter}, which a landing does not run',
    status: 'blocked',
    meaning:
      'Git LFS and other filters change what is committed; the judged bytes would not be those that a checkout gives.',
    next: 'Apply the run with `seatrial apply`, and commit these files with git.',
  },
  landing_remote_moved: {
    text: '{branch} is at {there} on {remote} and at {here} here',
    status: 'blocked',
    meaning: 'A landing that is pushed must be judged with the tip of the remote.',
    next: 'Bring the local branch to the state of the remote with `git pull --ff-only`, then land again.',
  },
  landing_push_refused: {
    text: '{remote} refused the push: {why}',
    status: 'blocked',
    meaning: 'The remote branch moved, or its own checks refused the commit. Neither branch was moved.',
    next: 'Fetch, then land again.',
  },
  landing_not_approved: {
    text: 'landing on {branch} was not approved: {how}',
    status: 'blocked',
    meaning:
      'A queue that no person starts on a terminal lands only where the approval policy has a line `allow = "land <branch>"`, or where a person says yes.',
    next: 'Add that line to the approval policy, or name the runs: `seatrial land <run> --onto <branch>`.',
  },
  landing_retry_failed: {
    text: 'the engine tried again in {run}: {why}',
    status: 'fail',
    meaning: 'The engine was given the tip of the branch and what broke there, and its new change does not pass.',
    next: 'Read the bundle of that attempt.',
  },
  landing_refused: {
    text: '{why}',
    status: 'blocked',
    meaning: 'The state of the repository does not allow a landing.',
    next: 'Change what the reason names, then land again.',
  },
} as const satisfies ReasonCatalogue;
