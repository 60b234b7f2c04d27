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
    output: 'setup',
    meaning: 'The dependencies could not be set up, so nothing was started.',
    next: 'Read backend/setup.stderr.log and backend/setup.stdout.log.',
  },
  setup_unfinished: {
    text: 'setup command did not finish: {why}',
    status: 'blocked',
    output: 'setup',
    meaning: 'The setup command was stopped, so nothing was started.',
    next: 'Read backend/setup.stderr.log and backend/setup.stdout.log.',
  },
  registry_unreachable: {
    text: 'registry out of reach: {why}',
    status: 'blocked',
    output: 'setup',
    meaning: 'The setup could not download what it needed.',
    next: 'Check the network, and provision_env and provision_files of [confine] in seatrial.toml.',
  },
  registry_refused: {
    text: 'registry refused access: {why}',
    status: 'blocked',
    output: 'setup',
    meaning: 'The registry requires credentials that the setup did not have.',
    next: 'List the variables with the credentials in provision_env of [confine] in seatrial.toml, or the files with them in provision_files.',
  },
  provision_file_missing: {
    text: 'no such file for the setup: {path}',
    status: 'blocked',
    meaning: 'A file that provision_files names is not in the home directory, cannot be read or is larger than 1 MiB.',
    next: 'Create it, or take it out of provision_files of [confine] in seatrial.toml.',
  },
  lockfile_outdated: {
    text: 'the lockfile is out of date: update and commit it',
    status: 'blocked',
    output: 'setup',
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
    text: 'the setup left entries that cannot be kept: {why}',
    status: 'blocked',
    meaning: 'The setup created pipes, devices or other entries that cannot be stored.',
    next: 'Make the setup command remove them.',
  },
  setup_changes_files: {
    text: 'the setup changed tracked files: {paths}',
    status: 'blocked',
    meaning: 'The setup command changes files of the repository, so changes by the engine could not be told apart.',
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
  tree_not_packed: {
    text: 'cannot pack {dir}: {why}',
    status: 'blocked',
    meaning: 'The files that the run starts from could not be read, or changed while they were read.',
    next: 'Make them readable and leave them alone while the run starts, then run again.',
  },
  tree_not_unpacked: {
    text: 'cannot unpack {file} into {dir}: {why}',
    status: 'blocked',
    meaning: 'An archive is damaged or contains entries that must not be unpacked, or there is no space for its files.',
    next: 'Check the free space of the directory for temporary files, and the archive with `seatrial verify`.',
  },
  link_not_followed: {
    text: '{path} is a symbolic link, which Seatrial does not follow; remove it first',
    status: 'blocked',
    meaning: 'A link stands where Seatrial would write, and could lead the write anywhere.',
    next: 'Remove the link, or name the directory that it leads to.',
  },
  git_not_installed: {
    text: 'git is not installed; install the package `git`',
    status: 'blocked',
    meaning: 'Seatrial makes and applies patches with git.',
    next: 'Install git, then run again.',
  },
  pipes_not_created: {
    text: 'cannot create pipes in {dir}: {why}',
    status: 'blocked',
    meaning: 'The directory for temporary files takes no named pipes, which connect the sandbox with the harness.',
    next: 'Set TMPDIR to a directory of a local file system with free space.',
  },
  scratch_full: {
    text: 'no room in the temporary directory {dir}: {why}',
    status: 'blocked',
    meaning: 'The run could not create its working copies, so nothing was started or judged.',
    next: 'Free space there, or set TMPDIR to a larger disk; then run again.',
  },
  cached_files_changed: {
    text: 'the files of the commit in the cache were changed',
    status: 'blocked',
    meaning:
      'Something wrote to the cache after the files were stored there. They were not used, and nothing was started or judged.',
    next: 'Run again: the files are stored anew.',
  },
  workspace_gone: {
    text: 'the files under the workspace are gone',
    status: 'blocked',
    meaning:
      'While the run went on, the cached files of the commit were removed, or the process that keeps the mounts of the run was ended. What the engine had changed is kept in `patch.diff`.',
    next: 'Run again. Remove cached files with `seatrial cache prune`, which leaves those that runs use.',
  },
  work_left: {
    text: 'the work of the engine could not be kept: {why}; its changes are in {dir}',
    status: 'blocked',
    meaning:
      'A step after the engine failed, and its changes could not be kept either. The directory contains them as `workspace`, or as `workspace-layers/upper`, where a character device means a removed file.',
    next: 'Copy what you need from there, then remove the directory.',
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
    meaning: 'The harness could not continue.',
    next: 'Fix what the reason names, then run again.',
  },
} as const satisfies ReasonCatalogue;
