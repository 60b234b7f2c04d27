/** Code of a patch that may behave differently when tests run it. */
export interface TestAwareCode {
  readonly kind: TestAwareKind;
  /** Line number in the patched file, starting at 1. */
  readonly line: number;
  readonly text: string;
}

export type TestAwareKind =
  /** Compiled or run differently for tests: `#[cfg(not(test))]`, `cfg!(test)`, `import.meta.vitest`, `testing.Testing()`. */
  | 'switch'
  /** Asks the environment whether tests run: `process.env.VITEST`, `PYTEST_CURRENT_TEST`, `flag.Lookup("test.v")`. */
  | 'environment'
  /** Reaches into a runner or an assertion library: `import pytest`, `require('chai')`, `expect.extend`. */
  | 'runner'
  /** Redefines what assertions are made of: `macro_rules! assert_eq`, `builtins.AssertionError = …`. */
  | 'assertion'
  /** Inspects its caller, and so what a test expects: `sys._getframe`, `new Error().stack`, `runtime.Caller`. */
  | 'caller'
  /** Names a file of the tests. */
  | 'test_file'
  /** One of the others, with a name that is assembled from pieces: `"PYT" + "EST"`. */
  | 'hidden'
  /** Has honest uses, but could detect who runs it: the program's arguments, the whole environment, a stack as text. */
  | 'context'
  /**
   * Has honest uses too, but ends the process behind its runner's back or catches what it throws: `os._exit`, `atexit`, `catch_unwind`.
   */
  | 'process'
  /** Contains values of a fixed test, as honest code may too. */
  | 'fitted'
  /** Ends the process with success, which matters if only an exit code is checked. */
  | 'exit';

/** Whether a patch that adds this code is refused. Code with honest uses is refused only if nothing but an exit code is checked. */
export const actsOnTests = ({ kind }: TestAwareCode, exitCodeOnly: boolean): boolean =>
  kind !== 'context' && kind !== 'fitted' && (exitCodeOnly || (kind !== 'process' && kind !== 'exit'));

/** The findings that are new in the patch, by kind and text. The base may contain the same finding several times. */
export function newOnes<T extends TestAwareCode>(base: readonly TestAwareCode[], patch: readonly T[]): readonly T[] {
  const known = new Map<string, number>();
  for (const one of base) known.set(keyOf(one), (known.get(keyOf(one)) ?? 0) + 1);
  return patch.filter((one) => {
    const left = known.get(keyOf(one)) ?? 0;
    known.set(keyOf(one), left - 1);
    return left <= 0;
  });
}

const keyOf = ({ kind, text }: TestAwareCode): string => `${kind} ${text}`;
