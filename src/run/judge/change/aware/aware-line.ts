import type { TestAwareCode } from '../../inline/aware/aware.ts';

/** A line of a product file that may detect tests. */
export interface AwareLine extends TestAwareCode {
  readonly path: string;
}
