/** Closed list: code branches on these, people read the message. */
export type ErrorCode =
  | 'usage' // wrong arguments or an unreadable input
  | 'blocked' // a check refused, or a tool that is needed is missing
  | 'evidence'; // evidence could not be written or read

/** An error that the user can act on. The message says what is wrong, where, and what to do next. */
export class SeatrialError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SeatrialError';
    this.code = code;
  }
}

/** The code of a system error (`ENOENT`, `EACCES`, …), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Converts any thrown value to an `Error`. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit on file sizes',
};

/** Why nothing more could be written, if that is what an error or one of its causes says; else null. */
export function diskFullText(error: unknown): string | null {
  const known = FULL[systemCode(error) ?? ''];
  if (known !== undefined) return known;
  return error instanceof Error && error.cause !== undefined ? diskFullText(error.cause) : null;
}
