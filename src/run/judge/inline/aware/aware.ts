/** Code of a patch that may behave differently when tests run it. */
export interface TestAwareCode {
  readonly kind: TestAwareKind;
  /** In the patched file, from one. */
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
  /** Gives another meaning to what assertions are made of: `macro_rules! assert_eq`, `builtins.AssertionError = …`. */
  | 'assertion'
  /** Reads who called, and so what a test expects: `sys._getframe`, `new Error().stack`, `runtime.Caller`. */
  | 'caller'
  /** Names a file of the tests. */
  | 'test_file'
  /** One of the others, with a name that is put together from pieces: `"PYT" + "EST"`. */
  | 'hidden'
  /** Has honest uses, and could tell who runs it: the program's arguments, the environment as a whole, a stack as text. */
  | 'context'
  /** Has honest uses too: ends the process past its runner or catches what it throws: `os._exit`, `atexit`, `catch_unwind`. */
  | 'process'
  /** Holds values of a test that it fixed: honest code may do so too. */
  | 'fitted'
  /** Ends the process with success: matters where an exit code is all that is seen. */
  | 'exit';

/** Whether a patch that adds it is refused. What has honest uses is so only where nothing but an exit code is seen. */
export const actsOnTests = ({ kind }: TestAwareCode, exitCodeOnly: boolean): boolean =>
  kind !== 'context' && kind !== 'fitted' && (exitCodeOnly || (kind !== 'process' && kind !== 'exit'));

/** What the patch has and the base has not, by kind and text. `base` may hold one thing several times. */
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
