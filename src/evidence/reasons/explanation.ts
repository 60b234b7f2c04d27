/** What a reason means and what to do about it, in plain words. */
export interface Explanation {
  readonly when: RegExp;
  readonly means: string;
}
