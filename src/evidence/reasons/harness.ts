import type { ReasonCatalogue } from './reason.ts';

/** The harness itself: its sandbox, its setup, its evidence. */
export const HARNESS_REASONS = {
  missing_event: {
    text: 'missing required event: {event}',
    status: 'fail',
    meaning: 'The run lacks an event that the task requires.',
    next: 'Read the timeline of the report: it shows how far the run got.',
  },
  artifact_write_failed: {
    text: 'artifact write failed: {path}',
    status: 'lost',
    meaning: 'An artifact of the evidence could not be written.',
    next: 'Check the free space and permissions of the runs directory, then run again.',
  },
  evidence_lost: {
    text: '{why}',
    status: 'lost',
    meaning: 'Evidence could not be written or read.',
    next: 'Check the free space and permissions of the runs directory, then run again.',
  },
  run_interrupted: {
    text: 'run interrupted',
    status: 'blocked',
    cause: 'interruption',
    meaning: 'The run ended before it was sealed: a crash, a kill or a power cut.',
    next: 'Run again; `seatrial runs recover` seals what is left of this run.',
  },
  interrupted: {
    text: 'interrupted',
    status: 'blocked',
    meaning: 'A signal stopped the run. The work of the engine is kept and was not judged.',
    next: 'Run again.',
  },
  not_sealed: {
    text: 'the bundle is not sealed',
    status: 'blocked',
    meaning: 'The report claims a pass, but the bundle was never sealed.',
    next: 'Run `seatrial runs recover`.',
  },
  setup_failed: {
    text: 'setup command failed with exit code {exit}',
    status: 'blocked',
    meaning: 'The dependencies could not be set up, so nothing was started.',
    next: 'Read backend/setup.stderr.log and backend/setup.stdout.log.',
  },
  setup_unfinished: {
    text: 'setup command did not finish: {why}',
    status: 'blocked',
    meaning: 'The setup command was stopped, so nothing was started.',
    next: 'Read backend/setup.stderr.log and backend/setup.stdout.log.',
  },
  registry_unreachable: {
    text: 'registry out of reach: {why}',
    status: 'blocked',
    meaning: 'The setup could not download what it needed.',
    next: 'Check the network, and the variables in provision_env of [confine] in seatrial.toml.',
  },
  registry_refused: {
    text: 'registry refused access: {why}',
    status: 'blocked',
    meaning: 'The registry requires credentials that the setup did not have.',
    next: 'List the variables with the credentials in provision_env of [confine] in seatrial.toml.',
  },
  lockfile_outdated: {
    text: 'the lockfile is out of date: update and commit it',
    status: 'blocked',
    meaning: 'The lockfile does not match the manifest beside it.',
    next: 'Update the lockfile and commit it.',
  },
  ensurepip_missing: {
    text: 'python3 has no ensurepip: install python3-venv',
    status: 'blocked',
    meaning: 'The setup needs a virtual environment, which this Python cannot create.',
    next: 'Install python3-venv.',
  },
  setup_output_unusable: {
    text: 'the setup left what cannot be kept: {why}',
    status: 'blocked',
    meaning: 'The setup created entries that cannot be stored.',
    next: 'Make the setup command remove them.',
  },
  setup_changes_files: {
    text: 'the setup changed tracked files: {paths}',
    status: 'blocked',
    meaning: 'The setup command changes files of the repository, so a change by the engine could not be told apart.',
    next: 'Give a setup command that leaves tracked files unchanged, or commit what it changes.',
  },
  setup_tool_missing: {
    text: '{needed_by} needs {program}, which is not installed: {install}, or give another --setup',
    status: 'blocked',
    meaning: 'The setup needs a package manager that is not installed.',
    next: 'Install it, or give another --setup.',
  },
  bubblewrap_missing: {
    text: 'bubblewrap is not installed: {install}',
    status: 'blocked',
    meaning: 'Seatrial runs engines and tests in a bubblewrap sandbox.',
    next: 'Install bubblewrap and run again.',
  },
  bubblewrap_too_old: {
    text: 'bubblewrap 0.8 or newer is needed, {path} says "{version}": {install}',
    status: 'blocked',
    meaning: 'The installed bubblewrap lacks options that the sandbox needs.',
    next: 'Install a newer bubblewrap and run again.',
  },
  mount_refused: {
    text: 'refused to mount into the sandbox: {why}',
    status: 'blocked',
    meaning: 'The sandbox would have shown a directory that must stay hidden.',
    next: 'Change read_only of [confine] in seatrial.toml.',
  },
  internal_error: {
    text: 'internal error in step {step}: {error}',
    status: 'blocked',
    meaning: 'The harness itself failed. The run proves nothing.',
    next: 'Report it with this bundle.',
  },
  refused: {
    text: '{why}',
    status: 'blocked',
    meaning: 'The harness could not go on.',
    next: 'Fix what the reason names, then run again.',
  },
} as const satisfies ReasonCatalogue;
