import * as z from 'zod/mini';
import { count, isoTime, sha256Hex } from '../../evidence/schema/parts.ts';

const fixedFile = z.strictObject({
  path: z.string(),
  /** Of its content, or of where a link leads. */
  sha256: sha256Hex,
  inode: z.string(),
  mtime_ns: z.string(),
  mode: z.string(),
});

const growingFile = z.strictObject({ path: z.string(), sha256: sha256Hex, inode: z.string(), bytes: count });

const session = z.strictObject({
  name: z.string(),
  pid: count,
  /** Of the pane's first process, in clock ticks since boot; tells it from another process with the same id. */
  start_time: z.nullable(z.string()),
  dead: z.boolean(),
});

/** The format of a fingerprint: what shows that a live project was not touched. */
export const fingerprintFile = z.strictObject({
  version: z.literal(1),
  project: z.string(),
  taken_at: isoTime,
  /** Asked for when it was taken, and again when it is checked. */
  asked: z.strictObject({
    files: z.array(z.string()),
    except: z.array(z.string()),
    commands: z.array(z.string()),
  }),
  fixed: z.strictObject({
    files: z.array(fixedFile),
    /** `absent`: there is no tmux server. */
    server: z.enum(['present', 'absent']),
    sessions: z.array(session),
    watchdogs: z.array(z.strictObject({ pid: count, start_time: z.string(), project: z.string() })),
    /** Commit at `engine/` in git, and what is checked out there. */
    pin: z.nullable(z.string()),
    engine: z.nullable(z.string()),
    commands: z.array(z.strictObject({ command: z.string(), exit_code: z.nullable(z.int()), output: z.string() })),
  }),
  /** May have grown since: the same file, and its old bytes still come first. */
  growing: z.array(growingFile),
});

export type Fingerprint = z.infer<typeof fingerprintFile>;
