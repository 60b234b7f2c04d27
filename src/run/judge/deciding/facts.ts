import type { Readers } from '../../../task/project-files.ts';

/** How reads were observed. Only strace also sees failed lookups and listed directories. */
export type FoundBy = 'strace' | 'access_times' | 'names';

export type Ecosystem = 'python' | 'javascript' | 'go' | 'rust' | 'c' | 'java' | 'shell' | 'other';

/** What running the tests on the base showed. Paths are relative to the root of the tree, in the spelling of `pathName`. */
export interface BaseFacts {
  readonly found_by: FoundBy;
  /** `pytest`, `vitest`, `go`, …; `script` where the command starts no known runner. */
  readonly runner: string;
  /** Empty: not known, so the tables of all ecosystems apply. */
  readonly ecosystems: readonly Ecosystem[];
  /** Files that a test id came from, and test files that did not load. */
  readonly collected: readonly string[];
  /** The collected files with a failing test, or that did not load: a test may have been written before its module. */
  readonly failing: readonly string[];
  /** Those of them that did not load. */
  readonly unloaded: readonly string[];
  /** The collected files whose tests are all docstring examples. */
  readonly doctested: readonly string[];
  readonly read: readonly string[];
  readonly looked_for: readonly string[];
  readonly links_passed: readonly string[];
  readonly dirs_listed: readonly string[];
  readonly written: readonly string[];
  /** Modules that were loaded from outside the tree: `pytest`, `json`, `vitest`, `@scope/name`. */
  readonly outside_modules: readonly string[];
  /** Directories of the tree in which modules are looked for by name (`sys.path`, `baseUrl`); the root is ''. Null: not known. */
  readonly search_path: readonly string[] | null;
  readonly test_command: string;
  /** Make targets that the test command builds, as far as it can be traced: `<Makefile>#<target>`. */
  readonly make_targets: readonly string[];
  /** Files that lead from the test command to the runner: scripts, a Makefile. See `traceCommand`. */
  readonly starts_runner: readonly string[];
  /** Programs of the tree that the test command runs before its runner, such as generators. */
  readonly before_runner: readonly string[];
}

/** A set of paths. */
export type PathSet = Pick<ReadonlySet<string>, 'has'>;

/** A tree's paths, indexed. */
export interface TreeIndex {
  readonly files: PathSet & Iterable<string>;
  /** Every directory with a file somewhere below it, the root ('') included. */
  readonly dirs: PathSet;
  readonly links: ReadonlyMap<string, string>;
}

/** The tree before the patch: every file and link, without directories. */
export interface BaseTree extends Readers {
  /** Each link with its target. Links are in `paths` too. */
  readonly links: ReadonlyMap<string, string>;
  /** Absent: built from the paths. */
  readonly index?: TreeIndex;
}

/** One path that the patch changes. */
export interface PatchChange {
  readonly path: string;
  /** `mode`: the executable bit alone; `type`: a file became a link or the reverse; `link`: a link has another target. */
  readonly kind: 'added' | 'modified' | 'deleted' | 'mode' | 'type' | 'link';
  /** Where the path leads after the change, if it is a link. */
  readonly target: string | null;
}

/** What a person allowed or forbade for this run, as globs. */
export interface DecidingOptions {
  readonly allowDeciding: readonly string[];
  /** Also allowed: exact paths, as reports show them. */
  readonly approved?: ReadonlySet<string>;
  readonly protectedFiles: readonly string[];
  /** The changed paths that the base's `.gitignore` files match. */
  readonly ignored: ReadonlySet<string>;
}
