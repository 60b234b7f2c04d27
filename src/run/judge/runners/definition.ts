import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { Tool } from '../../../evidence/schema/report.ts';
import type { BaseFiles } from '../command/base-files.ts';
import type { CommandLine } from '../command/command-line.ts';
import type { ChannelReading } from '../sandbox/channel.ts';
import type { TestExecution } from '../sandbox/execute.ts';
import type { Invocation } from '../sandbox/layout.ts';
import type { JudgeRequest } from '../types.ts';

/** One call of a test runner. */
export interface RunnerCommand {
  /** The definition's name, or `script`. */
  readonly runner: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that the command sets for its runner. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs, from the workspace; absent: in the workspace itself. */
  readonly dir?: string;
  /** Those of `args` that a shell would expand to file names. */
  readonly globs?: readonly string[];
  /** Ids of the tests to run; absent: all that the command selects. */
  readonly only?: readonly string[];
  /** A file of the tree that the command starts by its path, with all tests in it; absent: the runner chooses the files. */
  readonly entry?: string;
  /** The JUnit file that it writes, or a pattern for several, from where it runs. */
  readonly report?: string;
  /** Further programs that it looks up by name. */
  readonly alsoStarts?: readonly string[];
}

/** Ready to run, or the faults that block. */
export type Prepared =
  | {
      readonly ready: true;
      readonly invocation: Invocation;
      readonly toolchain: readonly Tool[];
      /** Shown in the report: how the runner was called. */
      readonly note?: string;
      /** Reads what the run reported. Absent: the driver's test channel. */
      readonly readResults?: (execution: TestExecution) => ChannelReading;
    }
  | { readonly ready: false; readonly faults: readonly Reason[] };

/** A row of docs/runners.md. */
export interface RunnerManual {
  readonly commands: string;
  readonly calledAs: string;
  readonly ids: string;
}

/** A test runner that reports by test id. One directory and one line of `list.ts` each; docs/add-a-runner.md shows how. */
export interface RunnerDefinition {
  readonly name: string;
  readonly manual: RunnerManual;
  /** Asserts can run in another sandbox than the code they test. */
  readonly blackBox: boolean;
  /**
   * The call that a command line stands for; null: it is not for this runner. Launchers (`npx`, `uv run`), variables and
   * `cd` have been taken off, and are added to the result by the caller.
   */
  match(line: CommandLine, files: BaseFiles): RunnerCommand | null;
  /** Finds the programs and lays out what the call needs. `apart`: the directory of asserts in a black box, else null. */
  prepare(request: JudgeRequest, command: RunnerCommand, apart: string | null): Promise<Prepared>;
  /** The call that runs these ids, and possibly more; null: single tests cannot be selected, so all of them run. */
  select(command: RunnerCommand, ids: readonly string[]): RunnerCommand | null;
  /** The test file that an id names, from the directory that the runner ran in; null: ids do not tell. */
  fileOf(id: string): string | null;
}

export function missingCommand(what: string): Prepared {
  return { ready: false, faults: [reason('missing_test_command'), reason('detail', { text: what })] };
}

export function notInstalled(program: string, ...why: readonly string[]): Prepared {
  return {
    ready: false,
    faults: [reason('not_installed', { program }), ...why.map((text) => reason('detail', { text }))],
  };
}

export function unusableRunner(why: string): Prepared {
  return { ready: false, faults: [reason('runner_unusable', { why })] };
}

export function broughtByPatch(program: string): Prepared {
  return notInstalled(
    program,
    'it comes with the patch; what runs the tests has to come from the base, the setup or this machine',
  );
}
