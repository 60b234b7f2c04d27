const ABOUT = `This is Seatrial's simulator of the Case command line (ca), not WorkOS Case: it replaces Case
in Seatrial's own checks, with the same files, events and exit codes, as far as the checks need them.
`;

export const HELP = `Usage: ca <command> [options]

${ABOUT}
Commands:
  run                 Run the agent pipeline (default)
  mark-tested         As in Case without an active task: refused
  mark-manual-tested  As in Case without an active task: refused
  mark-reviewed       As in Case without an active task: refused
`;

export const RUN_HELP = `Usage: ca run --task <file> [options]

${ABOUT}
Options:
  --task, -t <file>       Run an existing task JSON file
  --model <model>         Override model for all agents in this run
  --mode, -m <mode>       "attended" (default) or "unattended"
  --help, -h              Show this help
`;
