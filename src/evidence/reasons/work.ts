import type { ReasonCatalogue } from './reason.ts';

/** What the engine did, and the tree it left. */
export const WORK_REASONS = {
  engine_timed_out: {
    text: '{engine} engine failed with exit code 124',
    status: 'fail',
    marker: 'provider-timeout.txt',
    meaning: 'The engine reached its time limit and was stopped with all its processes.',
    next: 'Give the task more time (agent timeout_sec), or a smaller task.',
  },
  engine_ended: {
    text: '{engine} engine failed with exit code null',
    status: 'fail',
    meaning: 'The engine was ended from outside and left no exit code.',
    next: 'Read backend/stderr.log and the log of the machine: no other reason says what ended it.',
  },
  engine_failed: {
    text: '{engine} engine failed with exit code {exit}',
    status: 'fail',
    meaning: "The engine's program ended with an error.",
    next: 'Read its output in backend/stdout.log and backend/stderr.log.',
  },
  timeout_after_patch: {
    text: '{engine} lifecycle timeout after valid patch',
    status: 'fail',
    meaning: 'The patch is usable, but the engine did not finish in time. A deadline is never a pass.',
    next: 'Give the task more time, or review the patch and apply it with `seatrial apply --unproven`.',
  },
  engine_did_nothing: {
    text: '{engine} did nothing',
    status: 'fail',
    cause: 'protocol',
    meaning: 'The engine ended without a request to its model and without a change.',
    next: 'Read backend/stdout.log and backend/stderr.log: the program says there why it gave up.',
  },
  tool_call_failed: {
    text: 'a tool call of {engine} failed: {tool}',
    status: 'fail',
    cause: 'protocol',
    meaning: 'The last tool call failed or was denied, and nothing was changed, whatever the engine said afterwards.',
    next: 'Read backend/stdout.log for the error of the tool, fix its cause and run again.',
  },
  engine_over_limit: {
    text: '{engine} went over its {limit} limit',
    status: 'fail',
    cause: 'provider',
    meaning: 'The engine used more than it may and was stopped with all its processes.',
    next: 'Read backend/stdout.log and backend/stderr.log to see what the engine was doing.',
  },
  engine_killed: {
    text: '{engine} was killed',
    status: 'blocked',
    meaning: 'Something outside the run ended the engine, so its work may be unfinished.',
    next: 'Check the memory of this machine, then run again.',
  },
  engine_not_run: {
    text: 'confinement did not run {engine}: {why}',
    status: 'blocked',
    meaning: 'The sandbox could not start the engine.',
    next: 'Read docs/security.md for what the sandbox requires of this machine.',
  },
  settings_not_hidden: {
    text: "without confinement the repository's own settings cannot be kept from {engine}",
    status: 'blocked',
    meaning: 'The repository contains settings that the engine would obey.',
    next: 'Run with the sandbox (without --confine none).',
  },
  too_many_settings: {
    text: 'the repository has settings for {engine} in more than {n} places',
    status: 'blocked',
    meaning: 'The repository contains settings that the engine would obey, and only so many can be hidden from it.',
    next: 'Remove settings of the engine from the repository, or choose another engine.',
  },
  no_diff: {
    text: 'no diff produced',
    status: 'fail',
    meaning: 'The engine left the workspace unchanged, so there is nothing to judge.',
    next: 'Read backend/stdout.log, then reword the task or choose another engine.',
  },
  disallowed_file: {
    text: 'disallowed file changed: {path}',
    status: 'fail',
    meaning:
      "The task does not allow this file to be changed, or no engine may change it: Seatrial's settings, git hooks, programs of git filters, .gitmodules.",
    next: 'Allow the file in the task if the change is meant; change what no engine may change by hand.',
  },
  dirty_ending_tree: {
    text: 'dirty ending tree',
    status: 'fail',
    meaning: 'The task requires a commit, and the engine left uncommitted changes.',
    next: 'Ask for a commit in the instruction, or remove must_commit from the task.',
  },
  claimed_commit_missing: {
    text: 'claimed commit not found',
    status: 'fail',
    meaning: 'The engine named a commit as its work that the repository does not contain.',
    next: 'Read backend/stdout.log: the claim is false.',
  },
  patch_not_reproducible: {
    text: 'patch does not reproduce the tree',
    status: 'blocked',
    meaning: 'Applying the recorded patch to the base did not give the tree that the engine left.',
    next: 'Run again; if it happens again, report it with this bundle.',
  },
  secret_in_patch: {
    text: 'secret in patch: {path}',
    status: 'blocked',
    marker: 'secret-in-patch.txt',
    meaning: 'The change would store a credential in the evidence, so the file was left out and nothing was judged.',
    next: 'Read backend/secret-in-patch.txt for the names, and keep the credential out of the workspace.',
  },
  changed_after_deadline: {
    text: 'changed after the deadline: {path}',
    status: 'fail',
    meaning: 'A file changed after the time limit had passed.',
    next: 'Give the task more time.',
  },
  protected_root_writable: {
    text: 'protected root would be writable: {path}',
    status: 'blocked',
    meaning: 'The engine could have written to a protected directory, so it was not started.',
    next: 'Remove the directory from protected_roots in seatrial.toml, or move the workspace out of it.',
  },
  protected_root_changed: {
    text: 'protected root changed: {path}',
    status: 'fail',
    meaning: 'A directory that no engine may touch differs from before.',
    next: 'Check what changed there.',
  },
  audit_cut_off: {
    text: 'audit was cut off',
    status: 'fail',
    marker: 'audit-cut-off.txt',
    meaning: 'The engine, or a program it started, ended or manipulated the tracer: what it did afterwards is unknown.',
    next: 'Read backend/audit-cut-off.txt, and do not trust this engine.',
  },
  audit_impossible: {
    text: 'strace cannot trace on this machine, leave --audit out: {why}',
    status: 'blocked',
    meaning: 'An audit traces the engine, which does not work on this machine.',
    next: 'Run without --audit.',
  },
  strace_missing: {
    text: 'strace is not installed, and --audit needs it: {install}, or leave --audit out',
    status: 'blocked',
    meaning: 'An audit traces the engine with strace.',
    next: 'Install strace, or run without --audit.',
  },
  reviewer_rejected: {
    text: 'reviewer rejected',
    status: 'fail',
    meaning: 'The reviewer saw contract and diff and rejected the change.',
    next: "Read the reviewer's comment in the report.",
  },
  review_unavailable: {
    text: 'review unavailable',
    status: 'blocked',
    meaning:
      'The task requires a review, and there was none: the command gave no verdict, or the whole change could not be shown to it.',
    next: 'Check the review command of the task, then run again.',
  },
  approval_denied: {
    text: 'approval denied: {action}',
    status: 'blocked',
    meaning: 'The run needed an approval that was not given. Unattended runs without a policy get none.',
    next: 'Run on a terminal and answer, or add a line to the approvals policy.',
  },
} as const satisfies ReasonCatalogue;
