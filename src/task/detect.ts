import { findSetup } from './lockfiles.ts';
import type { Readers } from './project-files.ts';
import { setupsWithoutLockfile } from './setup-guesses.ts';
import { findTestCommands } from './test-commands.ts';

export interface Detected {
  readonly language: string | null;
  readonly lockfile: string | null;
  readonly testCommand: string | null;
  readonly setupCommand: string | null;
  /** Setups by manifest alone, and other test commands: to be tried where the first do not work. */
  readonly otherSetups: readonly string[];
  readonly otherTests: readonly string[];
}

/** Detects a project's language and test command. Pure; null where there is no clear sign. */
export function detectProject(files: Readers): Detected {
  const { lockfile, setupCommand } = findSetup(files);
  const test = findTestCommands(files);
  return {
    language: test?.language ?? lockfile?.language ?? null,
    lockfile: lockfile?.file ?? null,
    testCommand: test?.commands[0] ?? null,
    setupCommand,
    otherSetups: setupsWithoutLockfile(files).filter((command) => command !== setupCommand),
    otherTests: test?.commands.slice(1) ?? [],
  };
}
