import type { ErrorCode } from './errors.ts';

/** Exit codes. "Found a problem" (1) must stay distinct from "could not decide" (2). */
export const EXIT = {
  pass: 0,
  fail: 1,
  blocked: 2,
  evidenceLost: 3,
  usage: 64,
  /** EX_IOERR of sysexits.h: the result could not be written to standard output. */
  outputLost: 74,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODE_OF_ERROR: Readonly<Record<ErrorCode, ExitCode>> = {
  usage: EXIT.usage,
  blocked: EXIT.blocked,
  evidence: EXIT.evidenceLost,
};
