/** A call of a test runner that has a driver. */
export interface RunnerCommand {
  readonly runner: 'pytest' | 'unittest' | 'node-test' | 'vitest' | 'jest' | 'go' | 'cargo';
  readonly program: string;
  readonly args: readonly string[];
  /** What the command sets before it starts its runner. */
  readonly env?: Readonly<Record<string, string>>;
}
