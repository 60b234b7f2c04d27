import type { ReasonCatalogue } from './reason.ts';

/** Refusals of the checks before an engine starts. A check's own words on what to do next are more precise than these. */
export const ADMISSION_REASONS = {
  missing_test_command: {
    text: 'missing test command',
    status: 'blocked',
    meaning: 'The task has no test command, or one that cannot be found, so nothing could decide.',
    next: 'Give the task a test command that exists in its files or on this machine.',
  },
  isolation_too_weak: {
    text: 'isolation too weak for a high-risk task',
    status: 'blocked',
    meaning: 'Tests that share a process with the code they judge are no proof of a high-risk change.',
    next: 'Write the tests as a black box, or lower risk_class in task.toml.',
  },
  dirty_starting_tree: {
    text: 'dirty starting tree',
    status: 'blocked',
    meaning: "The workspace had changes before the engine started, so the engine's work could not be told apart.",
    next: 'Make the setup command leave the files of the task unchanged, or commit what it changes.',
  },
  probe_failed: {
    text: 'confinement probe failed',
    status: 'blocked',
    meaning: 'The sandbox did not hold when it was tested, so nothing was started in it.',
    next: 'Read docs/security.md for what the sandbox requires of this machine.',
  },
  engine_not_enabled: {
    text: 'engine not enabled: {engine}',
    status: 'blocked',
    meaning: 'This engine is switched off.',
    next: 'Run `seatrial engines`: it shows how to enable each engine.',
  },
  stage_not_set: {
    text: 'stage not set',
    status: 'blocked',
    meaning: 'This engine runs only at a named stage.',
    next: 'Run `seatrial engines`: it shows the variable that names the stage.',
  },
  stage_not_earned: {
    text: 'stage not earned: {stage}',
    status: 'blocked',
    meaning: 'Stages are earned one after another, and an earlier one is missing.',
    next: 'Run `seatrial stage`: it shows what is missing for each stage.',
  },
  mutation_out_of_scope: {
    text: 'mutation out of scope: {scope}',
    status: 'blocked',
    meaning: 'The named stage does not admit what this task lets the engine change.',
    next: 'Run a task that the stage admits, or admit the task by its digest with `seatrial admit task`.',
  },
  confinement_required: {
    text: '{engine} runs only confined',
    status: 'blocked',
    meaning: 'An engine with stages is never started without a sandbox.',
    next: 'Leave out --confine none.',
  },
  source_not_admitted: {
    text: 'source not admitted',
    status: 'blocked',
    meaning:
      "From stage 3 on, and for every task that is not artificial, the source of the engine's program must be on record.",
    next: 'Record it with `seatrial admit source`.',
  },
  executable_not_admitted: {
    text: 'executable not admitted',
    status: 'blocked',
    meaning: 'No record has the digest of this program.',
    next: 'If you trust the program, record it with `seatrial admit executable`.',
  },
  executable_changed: {
    text: 'executable changed: {path}',
    status: 'blocked',
    meaning: 'The program was replaced between the check of its digest and its start, so it was not started.',
    next: 'Find out what replaced the program, then run again.',
  },
  program_not_copied: {
    text: '{path} ({megabytes} MB) could not be copied to {dir}: {why}',
    status: 'blocked',
    meaning: "The engine's program is started from a private copy, for which there is no room.",
    next: 'Make room there, set TMPDIR to a larger disk, or raise the limit (ulimit -f); then run again.',
  },
  interpreter_missing: {
    text: '{path} is a script for {interpreter}, which is not installed',
    status: 'blocked',
    meaning: "The engine's program is a script, and the program that runs it is missing.",
    next: 'Install the interpreter and run again.',
  },
  model_not_admitted: {
    text: 'model not admitted',
    status: 'blocked',
    marker: 'provider-model-not-admitted.txt',
    meaning: 'No model was named, or no record admits the named one. An engine never chooses its own model.',
    next: 'Choose a model that `seatrial admissions` lists, or record one with `seatrial admit model`.',
  },
  target_reachable: {
    text: 'target reachable: {where}',
    status: 'blocked',
    meaning: 'The engine was told of a path in target_paths, or could have reached it.',
    next: 'Read stage2-no-target-inspection.json, then keep the target out of the task, the settings and the mounts.',
  },
  invalid_time_limit: {
    text: 'invalid time limit',
    status: 'blocked',
    meaning: 'The time limit set for this engine is not a number of seconds.',
    next: 'Set it to a whole number of seconds, at least 1, or unset it.',
  },
} as const satisfies ReasonCatalogue;
