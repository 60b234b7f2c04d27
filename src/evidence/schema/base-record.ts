import * as z from 'zod/mini';
import { count, sha256Hex } from './parts.ts';

export const BASE_RECORD_FILE = 'base-record.json';

const paths = z.array(z.string());

/** One test of the base's run. `file`: where it stands, as far as the runner says. */
const recordedTest = z.strictObject({
  id: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped', 'error']),
  file: z.nullable(z.string()),
});
export type RecordedTest = z.infer<typeof recordedTest>;

/**
 * `base-record.json`: how the tests stood before the change, and which files they used. Paths are relative to the repository. Taken
 * once for a tree, a test command and a toolchain.
 */
export const baseRecord = z.strictObject({
  schema_version: z.literal(1),
  /** Names everything the record depends on: tree, command, programs, dependencies. */
  key: sha256Hex,
  test_command: z.string(),
  runner: z.string(),
  exit_code: z.nullable(z.int()),
  duration_ms: count,
  /** Empty: the command reports nothing but its exit code. */
  tests: z.array(recordedTest),
  /** Tests that gave different outcomes in two runs of the same tree. */
  flaky: z.array(z.string()),
  /** Parts of the test command that report no tests, such as a build, and failed. */
  failed_commands: z.array(z.string()),
  /** Parts of the test command that report no tests and leave nothing that a test uses, such as a linter. Absent in records of earlier versions. */
  idle_commands: z.optional(z.array(z.string())),
  /** Errors beside the tests for which the runner fails. Absent in records of earlier versions. */
  runner_errors: z.optional(z.array(z.string())),
  /** Files that the runner collected tests from, also those that did not load. */
  collected: paths,
  /** How the lists below were found. `names`: they are empty, and files are told apart by their names. */
  found_by: z.enum(['strace', 'access_times', 'names']),
  read: paths,
  /** There, and asked about by name only. */
  asked: paths,
  /** Looked for and not there. */
  missing: paths,
  written: paths,
  listed: paths,
  /** Symbolic links that were passed on the way to a file. */
  links: paths,
  /** Modules that were loaded from outside the tree, by their names. */
  outside_modules: z.array(z.string()),
});
export type BaseRecord = z.infer<typeof baseRecord>;
