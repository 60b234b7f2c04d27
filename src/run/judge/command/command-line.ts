/** One simple command: no pipes, no lists, nothing that only a shell could expand. */
export interface CommandLine {
  /** What it sets for its command alone, in order. */
  readonly env: readonly (readonly [string, string])[];
  /** Not empty. */
  readonly words: readonly string[];
  /** Those of the words that a shell would expand to file names. */
  readonly globs: readonly string[];
}
