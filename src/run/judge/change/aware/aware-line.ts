import type { TestAwareCode } from '../../inline/aware/aware.ts';

/** A line of a product file that may tell whether tests run it. */
export interface AwareLine extends TestAwareCode {
  readonly path: string;
}
