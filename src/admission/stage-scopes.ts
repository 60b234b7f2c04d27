/** What an engine may change at each stage; nothing else is admitted there. */
export const STAGE_SCOPES: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'copied artificial case only',
  3: 'copied repository only',
  4: 'disposable sandbox repository only',
  5: 'branch of an owned noncritical repository only',
  6: 'branch of an owned noncritical repository only',
};

/** What the repository of a task must be at each stage that works on one; at stage 3 a copy of any will do. */
export const STAGE_REPOSITORIES: Readonly<Record<number, 'sandbox' | 'owned'>> = {
  4: 'sandbox',
  5: 'owned',
  6: 'owned',
};

export const ARTIFICIAL = 'copied artificial case only';
/** At stage 1 only the checks of the adapter start the engine, in settings of their own. */
export const FIRST_STAGE_TO_RUN = 2;
