import * as z from 'zod/mini';
import { testRecord } from '../../../evidence/schema/report.ts';
import type { SeenTest } from '../types.ts';

/** The contents of a test channel, read after every process that could write to it is gone. */
export interface ChannelReading {
  readonly tests: readonly SeenTest[];
  /** Every test file that the runner collected, relative to the workspace, including those without tests or that did not load. */
  readonly collected: readonly string[];
  /** The exit code that the runner announced last; null: it did not reach its end. */
  readonly done: number | null;
  /** A part of the runner that is not installed. */
  readonly missing: string | null;
  /** Errors outside any test that make the runner exit with an error, such as an unhandled rejection. */
  readonly runnerErrors: readonly string[];
  /** Why the channel cannot be believed. */
  readonly tampered: string | null;
  /** Nothing but an exit code was reported. */
  readonly exitCodeOnly: boolean;
}

export const CHANNEL_LIMITS = { lineBytes: 64 * 1024, totalBytes: 32 * 1024 * 1024 } as const;

const frame = { n: z.number(), nonce: z.string() };
const driverLine = z.union([
  z.strictObject({
    ...frame,
    ...testRecord.shape,
    id: z.string().check(z.minLength(1)),
    file: z.optional(z.string()),
  }),
  z.strictObject({ ...frame, collected: z.string() }),
  z.strictObject({ ...frame, done: z.int() }),
  z.strictObject({ ...frame, missing: z.string() }),
  z.strictObject({ ...frame, runner_error: z.string() }),
]);
type DriverLine = z.infer<typeof driverLine>;

/**
 * The stream of a driver: JSON lines `{id, outcome, file?, n, nonce}`, `{collected, n, nonce}` and `{runner_error, n, nonce}`, ended by
 * `{done, n, nonce}`. Reading stops at the first thing that an honest driver cannot have written; what came before is
 * kept, so that the report can show it.
 */
export function readDriverChannel(bytes: Buffer, nonce: string): ChannelReading {
  const tests: SeenTest[] = [];
  const ids = new Set<string>();
  const collected = new Set<string>();
  const runnerErrors: string[] = [];
  let done: number | null = null;
  let missing: string | null = null;
  const stop = (tampered: string | null): ChannelReading => {
    for (const { file } of tests) if (file !== null) collected.add(file);
    return { tests, collected: [...collected].sort(), done, missing, runnerErrors, tampered, exitCodeOnly: false };
  };

  const lines = splitLines(bytes);
  if (typeof lines === 'string') return stop(lines);
  for (const [index, text] of lines.entries()) {
    if (done !== null) return stop(`line ${index + 1} came after the end`);
    const line = parseLine(text);
    if (line === null) return stop(`line ${index + 1} is not a report`);
    if (line.nonce !== nonce) return stop(`line ${index + 1} has a wrong nonce`);
    if (line.n !== index) return stop(`line ${index + 1} is numbered ${line.n}`);
    if ('done' in line) {
      done = line.done;
    } else if ('missing' in line) {
      missing = line.missing;
    } else if ('runner_error' in line) {
      runnerErrors.push(line.runner_error);
    } else if ('collected' in line) {
      const file = insidePath(line.collected);
      if (file !== null) collected.add(file);
    } else {
      if (ids.has(line.id)) return stop(`${line.id} was reported twice`);
      ids.add(line.id);
      tests.push({ id: line.id, outcome: line.outcome, file: insidePath(line.file ?? '') });
    }
  }
  return stop(null);
}

/**
 * The stream of a script: `ok <id>` and `not ok <id>`, a tab and words after it are a remark, `# SKIP` and `# TODO`
 * mean what they mean in TAP. A script has no last word of its own: its exit code is that.
 */
export function readScriptChannel(bytes: Buffer, exitCode: number | null): ChannelReading {
  const tests: SeenTest[] = [];
  const ids = new Set<string>();
  const stop = (tampered: string | null): ChannelReading => ({
    tests,
    collected: [],
    done: exitCode,
    missing: null,
    runnerErrors: [],
    tampered,
    exitCodeOnly: bytes.length === 0,
  });

  const lines = splitLines(bytes);
  if (typeof lines === 'string') return stop(lines);
  for (const [index, text] of lines.entries()) {
    const match = /^(not )?ok ([^\t]+)/.exec(text);
    if (match === null) return stop(`line ${index + 1} is not a report`);
    const [id = '', directive] = (match[2] ?? '').split(/\s+#\s*(?=skip|todo)/i);
    if (id.trim() === '') return stop(`line ${index + 1} names no test`);
    if (ids.has(id)) return stop(`${id} was reported twice`);
    ids.add(id);
    const outcome = match[1] !== undefined ? 'failed' : 'passed';
    tests.push({ id, outcome: directive === undefined ? outcome : 'skipped', file: null });
  }
  return stop(null);
}

/** A path from the workspace that stays below it. */
function insidePath(path: string): string | null {
  const isInside = path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
  return isInside ? path.replace(/^(?:\.\/)+/, '') : null;
}

/** The lines, or a fault of the whole stream. */
function splitLines(bytes: Buffer): readonly string[] | string {
  if (bytes.length > CHANNEL_LIMITS.totalBytes) return `more than ${CHANNEL_LIMITS.totalBytes} bytes`;
  const text = bytes.toString('utf8');
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.pop() !== '') return 'the last line is cut off';
  const long = lines.findIndex((line) => Buffer.byteLength(line) > CHANNEL_LIMITS.lineBytes);
  return long < 0 ? lines : `line ${long + 1} is longer than ${CHANNEL_LIMITS.lineBytes} bytes`;
}

function parseLine(text: string): DriverLine | null {
  try {
    return driverLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
