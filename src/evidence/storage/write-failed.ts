import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { reason } from '../reasons/catalogue.ts';

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space or choose another runs directory',
  EFBIG: 'the file size limit is reached; raise it',
  EDQUOT: 'the disk quota is exceeded; free some space or choose another runs directory',
  EROFS: 'the file system is read-only; choose another runs directory',
  EACCES: 'permission denied; make it writable or choose another runs directory',
  EPERM: 'not permitted; make it writable or choose another runs directory',
  ENOTDIR: 'a component of the path is not a directory; choose another runs directory',
  EEXIST: 'something else already exists at this path; move it away',
  ENOENT: 'its directory no longer exists; was the runs directory removed?',
  ELOOP: 'it is a symbolic link, which Seatrial does not follow; remove it',
};

/** An artifact that could not be written. The message has the path first, then what to do. */
export class WriteFailed extends SeatrialError {
  readonly path: string;

  constructor(path: string, advice: string, cause: unknown) {
    super('evidence', `${reason('artifact_write_failed', { path }).text}: ${advice}`, cause);
    this.path = path;
  }
}

export function writeFailed(path: string, error: unknown): SeatrialError {
  if (error instanceof SeatrialError) return error;
  return new WriteFailed(path, ADVICE[systemCode(error) ?? ''] ?? messageOf(error), error);
}

export function reportingWrite<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw writeFailed(path, error);
  }
}
