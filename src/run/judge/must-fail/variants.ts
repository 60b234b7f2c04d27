/**
 * How a copy of a test differs from the test:
 * - `throw`: it fails at its end, whatever its body did;
 * - `literal`: one expected value is another one;
 * - `neutral`: looks like `throw`, and never fails by it;
 * - `respelled`: looks like `literal`, and expects what the test expects.
 */
export type TestVariant = 'throw' | 'literal' | 'neutral' | 'respelled';

export const MUST_FAIL = ['throw', 'literal'] as const satisfies readonly TestVariant[];
export const MUST_PASS = ['neutral', 'respelled'] as const satisfies readonly TestVariant[];

export function mustFail(variant: TestVariant): boolean {
  return variant === 'throw' || variant === 'literal';
}

/** The variant for a test without an expected value: it must fail or pass like the given one, and works for every test. */
export function withoutLiterals(variant: TestVariant): TestVariant {
  return mustFail(variant) ? 'throw' : 'neutral';
}
