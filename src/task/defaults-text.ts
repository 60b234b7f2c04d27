/** What `.seatrial/task.toml` is to say. Null: not known, so that the line is left for a person to fill in. */
export interface Defaults {
  readonly testCommand: string | null;
  readonly setupCommand: string | null;
  readonly verifierTimeoutSec: number;
  /** `proposed`: written as a comment, because only a person knows whether they are to be fixed. */
  readonly knownFailing: { readonly tests: readonly string[]; readonly written: 'active' | 'proposed' };
  /** The test command reports no tests; null: it does. */
  readonly acceptExitCode: 'active' | 'proposed' | null;
}

export function defaultsText(defaults: Defaults): string {
  const { testCommand, setupCommand, knownFailing, acceptExitCode } = defaults;
  const sections = [
    '# Defaults of `seatrial run --repo` for this repository. Flags of the command take precedence.',
    'version = "1.0"\n',
    '[agent]\ntimeout_sec = 600\n',
    `[verifier]\ntimeout_sec = ${defaults.verifierTimeoutSec}\n`,
    '[seatrial]',
    line('test_command', testCommand),
    ...(acceptExitCode === null ? [] : acceptLines(acceptExitCode)),
    line('setup_command', setupCommand),
    'allowed_files = ["**"]',
    '# Files that no change may touch, as globs:\n# protected_files = []',
    ...knownFailingLines(knownFailing),
  ];
  return `${sections.join('\n')}\n`;
}

const line = (key: string, value: string | null): string =>
  value === null ? `# ${key} = ""` : `${key} = ${JSON.stringify(value)}`;

function acceptLines(written: 'active' | 'proposed'): string[] {
  return [
    '# The test command reports no tests. To judge changes by its exit code alone:',
    `${written === 'active' ? '' : '# '}accept = "exit_code"`,
  ];
}

function knownFailingLines({ tests, written }: Defaults['knownFailing']): string[] {
  if (tests.length === 0)
    return ['# Failing tests that no change has to fix; they have no vote:\n# known_failing = []'];
  const mark = written === 'active' ? '' : '# ';
  const intro =
    written === 'active'
      ? '# Failing tests that no change has to fix; they have no vote:'
      : '# These tests fail now. Uncomment those that no change has to fix; they then have no vote:';
  return [intro, `${mark}known_failing = [`, ...tests.map((id) => `${mark}  ${JSON.stringify(id)},`), `${mark}]`];
}
