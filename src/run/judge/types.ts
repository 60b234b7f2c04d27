import type { FileFacts } from '../../confine/audit/file-trace.ts';
import type { Programs } from '../../confine/tools/caller-programs.ts';
import type { ToolSearch } from '../../confine/tools/toolchain.ts';
import type { Confinement, Mount } from '../../confine/types.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { Isolation } from '../../evidence/schema/parts.ts';
import type { TestRecord, Tool } from '../../evidence/schema/report.ts';
import type { ImageTerms } from '../../task/image/terms.ts';
import type { PatchFacts } from './patch/patch-facts.ts';

/** How the code runs as if a person had started it. */
export interface ByHand {
  /** The tree lies below `node_modules`, as those have it who use it. */
  readonly installed?: boolean;
  /** It is started from a home, not from the tree. */
  readonly away?: boolean;
}

/** What is to be judged: a pristine tree with the patch in it, and the tests that decide. */
export interface JudgeRequest {
  /** The tree under test; the judge may write below it and nothing else will. */
  readonly workspace: string;
  /** The sealed tests, shown at /workspace/tests; null: the tests are part of the tree. */
  readonly sealedTests: string | null;
  readonly testCommand: string;
  /**
   * The directory whose package.json, Makefile and the like say what `npm test` or `make check` means, and which names lead into the sealed
   * tests: the tree before the patch, which must not decide by what it is judged. The workspace itself unless given.
   */
  readonly scriptsIn?: string;
  /** The whole tree before the patch, where it is at hand: only modules that it has come before installed ones. */
  readonly baseTree?: string;
  /** What the patch did to the tree, so that nothing it brings runs its own tests. Absent: the tree is judged as it is, patch or not. */
  readonly patch?: PatchFacts;
  /** Runs before the tests, in the tree: makes what a setup made from its sources again. */
  readonly rebuild?: string | null;
  /** Called before the next part starts, after one that reports no tests: a build could lay something out for the tests. */
  readonly beforeNextPart?: () => void;
  /** Every one of these must be reported passed. Null: not recorded, so whatever ran must have passed, and something must. */
  readonly expectedTests: readonly string[] | null;
  readonly isolation: Extract<Isolation, 'black_box' | 'in_process'>;
  /**
   * In a black box: only these test files, named from the sealed tests, without what else the command says. A test that needs more than
   * can pass between the sandboxes is skipped.
   */
  readonly apartFiles?: readonly string[];
  /** The code runs as if a person had started it: the tree lies at another place than that of tests. */
  readonly byHand?: ByHand;
  /** The tests run with another time zone and language than usual, and it is found out whether they reach for a network. */
  readonly elsewhere?: true;
  /** Runs these test ids and no others. Absent: every test that the command selects. */
  readonly only?: readonly string[];
  /** Commands around the tests that are left out where `only` some tests run. */
  readonly idleCommands?: readonly string[];
  /**
   * What a command counts as that reports nothing but an exit code: `one_test` of its own name, as tasks have it (the default), or
   * `exit_code`, with no test at all.
   */
  readonly silentCommand?: 'one_test' | 'exit_code';
  /** Runs the command as a shell would, whatever runner it starts: its exit code is all that is looked at. */
  readonly plain?: true;
  /** The JUnit file, or a pattern for several, that a command writes which is no known runner; from the workspace. */
  readonly junitReport?: string;
  readonly timeoutMs: number;
  /** Ties the test channel to this run. */
  readonly nonce: string;
  /** The task's tests are a script that expects an image. Absent: they are not. */
  readonly image?: ImageTerms;
  /** A directory of the judge's own, empty, below the confinement's scratch. */
  readonly scratch: string;
  readonly confinement: Confinement;
  /** For whatever the tests and the code under test say. */
  readonly mask: Masker;
  /** Where programs are looked for, and where it is remembered. Absent: on the caller's PATH, and nothing is remembered. */
  readonly tools?: Omit<ToolSearch, 'needsModule'>;
  /**
   * What was provisioned for the tree, shown beside it to tests and code under test. Read-only, all of it. Where there are no
   * walls nothing is shown: the tree has to hold a copy.
   */
  readonly readOnly?: readonly Mount[];
  /** Says where that is, to programs that ask (`CARGO_HOME`, `GOMODCACHE`). Never PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of the task, weaker than those of the command and its runner. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The caller's programs that tests and code under test find by name, beside those that the runner needs. */
  readonly programs?: Pick<Programs, 'mounts' | 'dirs'>;
  readonly signal?: AbortSignal;
  /** The path of strace: what the tests do with files is traced. */
  readonly tracer?: string;
}

/** A test that was reported. */
export interface SeenTest extends Readonly<TestRecord> {
  /** Its test file, from the workspace; null: the runner does not tell. */
  readonly file: string | null;
}

/** A part of the test command that reports no tests. */
export interface FailedCommand {
  readonly text: string;
  readonly how: string;
}

export interface JudgeResult {
  readonly passed: boolean;
  /** `pass`; `fail`: it ran and did not prove it; `blocked`: no verdict was possible. */
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** The first decides. */
  readonly faults: readonly Reason[];
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly seen: readonly SeenTest[];
  /** Every test file that the runner took up, from the workspace, also those without tests or that did not load. */
  readonly collected: readonly string[];
  /** What is wrong with the run itself, whatever the tests said: cut short, tampered with, no proper end. */
  readonly protocolFaults: readonly Reason[];
  readonly isolation: Isolation;
  /** Nothing but an exit code was reported: it proves less than any test id. */
  readonly exitCodeOnly: boolean;
  /** A process reached for an address or a name beyond the sandbox. Absent: that was not watched. */
  readonly reachedOut?: boolean;
  /** Commands before or after the tests, such as a build, that failed. */
  readonly failedCommands: readonly FailedCommand[];
  /** What the runner names beside its tests and exits with an error for, such as a rejected promise that no test waits for. */
  readonly runnerErrors: readonly string[];
  /** Said in the report where a result can be trusted less than it looks. */
  readonly note: string | null;
  /** What the runner printed, bounded. */
  readonly output: string;
  readonly runner: string;
  readonly toolchain: readonly Tool[];
  /** What the tests did with files; null: they were not traced. */
  readonly files: FileFacts | null;
  /** Commands before or after the tests, such as a linter, that no test depends on, as far as they were traced. */
  readonly idleCommands: readonly string[];
}
