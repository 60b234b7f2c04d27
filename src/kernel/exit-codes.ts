/** What a command tells its caller. "Found a problem" (1) is never confused with "could not decide" (2). */
export const EXIT = {
  pass: 0,
  fail: 1,
  blocked: 2,
  evidenceLost: 3,
  usage: 64,
  /** As in sysexits.h: a result that was asked for could not be written to standard output. */
  outputLost: 74,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
