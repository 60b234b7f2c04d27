/** A test that says the same wherever the code runs. */
export interface PlainTest {
  readonly id: string;
  /** Its test file, from the root. */
  readonly file: string;
}

/** How tests run without their runner: what differs from the run that they are meant for. */
export interface ApartForm {
  /** Instead of the test command. */
  readonly command: string;
  /** The command is a script of ours, which reports tests itself. */
  readonly plain?: true;
  /** Files laid over the tree. */
  readonly replace: ReadonlyMap<string, string>;
  /** Files taken out of the tree. */
  readonly remove: readonly string[];
  /** Test files that are kept out of the code's sandbox. */
  readonly apart?: readonly string[];
  /** The code uses what its runner may bring, so that it is no sign of anything if it does not load without it. */
  readonly mayNotLoad?: boolean;
  /** What a test is called in that run. */
  readonly nameOf: (id: string) => string;
}
