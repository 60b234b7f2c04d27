/** A test whose result does not depend on where the code runs. */
export interface PlainTest {
  readonly id: string;
  /** Its test file, from the root. */
  readonly file: string;
}

/** How tests run without their runner: the differences from their normal run. */
export interface ApartForm {
  /** Replaces the test command. */
  readonly command: string;
  /** The command is the judge's own script, which reports the tests itself. */
  readonly plain?: true;
  /** Files that are written over those of the tree. */
  readonly replace: ReadonlyMap<string, string>;
  /** Files taken out of the tree. */
  readonly remove: readonly string[];
  /** Test files that are kept out of the code's sandbox. */
  readonly apart?: readonly string[];
  /** The code uses things that its runner may provide, so failing to load without the runner proves nothing. */
  readonly mayNotLoad?: boolean;
  /** The tree lies below `node_modules`, as those have it who use it. */
  readonly installed?: boolean;
  /** The id of a test in that run. */
  readonly nameOf: (id: string) => string;
}
