import type { Duplex } from 'node:stream';
import { type FileFacts, FileTrace, withFileTrace } from '../../../confine/audit/file-trace.ts';
import { DEFAULT_LIMITS } from '../../../confine/limits/limits.ts';
import type { Sandboxed, SandboxResult, SandboxSpec } from '../../../confine/types.ts';
import { collect } from './bounded.ts';
import { CHANNEL_LIMITS } from './channel.ts';
import { Transcript } from '../../../confine/streams/transcript.ts';
import { type SandboxCommand, type Invocation, type Subject, withSearched, WORKSPACE } from './layout.ts';
import { setTimeZoneAndLanguage } from './time-zone-and-language.ts';
import { CALL_LIMITS, SubjectCalls } from './subject-calls.ts';
import type { JudgeRequest } from '../types.ts';
import { pathInside } from '../../../confine/path-inside.ts';

const OUTPUT_BYTES = 1024 * 1024;
const GRACE_MS = 60_000;

type Bounds = Pick<SandboxSpec, 'timeoutMs' | 'outputBytes'>;

/** The test run as the harness saw it from outside. */
export interface TestExecution {
  readonly end: SandboxResult;
  /** Everything from the test channel, after all its writers are gone. */
  readonly reports: Buffer;
  readonly output: string;
  /** How the sandbox of the code under test ended, if it did so while tests still ran. */
  readonly subjectEndedEarly: SandboxResult | null;
  readonly reachedOut: boolean;
  /** What the tests did with files; null: they were not traced. */
  readonly files: FileFacts | null;
}

/** Runs the tests and, if it is kept apart, the code under test beside them. Ends only when no process of either is left. */
export async function executeTests(
  request: JudgeRequest,
  { tests, subject, plan }: Invocation,
): Promise<TestExecution> {
  const specOf = (cell: SandboxCommand, bounds: Bounds): SandboxSpec => {
    const { place = (path) => path, ...command } = cell;
    const elsewhere = request.elsewhere === true ? setTimeZoneAndLanguage(request) : null;
    const usual = [...cell.mounts, ...(request.programs?.mounts ?? []), ...(elsewhere?.mounts ?? [])];
    const searched = (request.programs?.dirs ?? []).map((dir) => pathInside(request.confinement, dir, usual));
    const env = Object.entries(request.env ?? {}).map(([name, value]) => [name, place(value)] as const);
    const path = withSearched(cell.env.PATH, searched).split(':').map(place).join(':');
    return {
      ...command,
      mounts: usual.map((mount) => ({ ...mount, target: place(mount.target) })),
      ...(elsewhere === null ? {} : { watchNetwork: true }),
      env: { ...elsewhere?.variables, ...request.variables, ...cell.env, ...Object.fromEntries(env), PATH: path },
      cwd: place(cell.cwd ?? WORKSPACE),
      limits: DEFAULT_LIMITS,
      ...bounds,
    };
  };
  // The code under test gets a longer time limit, so that the tests always time out first.
  const besideMs = request.timeoutMs + GRACE_MS;
  const plain = specOf(tests, { timeoutMs: request.timeoutMs });
  const traced = request.tracer === undefined ? null : withFileTrace(plain, request.tracer);
  const said = new Transcript(OUTPUT_BYTES / 4, request.mask);
  const output = new Transcript(OUTPUT_BYTES, request.mask);
  const worker =
    subject.kind === 'worker' && tests.channels === 2 ? specOf(subject.cell, { timeoutMs: besideMs }) : null;
  for (const { mounts } of [tests, ...(subject.kind === 'shared' ? [] : [subject.cell])])
    for (const { source, target } of mounts) if (target === WORKSPACE) request.confinement.give(source);
  const judging = request.confinement.start(traced?.spec ?? plain);
  const working = worker === null ? null : request.confinement.start(worker);
  const trace = traced === null ? null : new FileTrace(judging, traced.channel, { root: WORKSPACE, cwd: plain.cwd });
  const [channel, wire] = judging.channels;
  const bounds = { timeoutMs: besideMs, outputBytes: CALL_LIMITS.outputBytes };
  const beside = connect(subject, wire, working, said, (cell) => request.confinement.start(specOf(cell, bounds)));
  const stop = (): void => judging.kill();
  request.signal?.addEventListener('abort', stop, { once: true });
  if (request.signal?.aborted === true) stop();

  judging.stdin.end();
  for (const stream of [judging.stdout, judging.stderr]) output.listen(stream);
  const reports =
    channel === undefined ? Promise.resolve(Buffer.alloc(0)) : collect(channel, CHANNEL_LIMITS.totalBytes);
  if (plan !== null) channel?.write(`${JSON.stringify({ ...plan, nonce: request.nonce })}\n`);

  const end = await judging.ended;
  request.signal?.removeEventListener('abort', stop);
  const endedEarly = await beside.close();
  const spoken = withoutColours(said.text());
  const printed = withoutColours(output.text());
  return {
    end,
    reports: await reports,
    output: spoken === '' ? printed : `${printed}\n--- printed by the code under test ---\n${spoken}`,
    subjectEndedEarly: endedEarly,
    reachedOut: judging.reachedOut?.() ?? false,
    files: trace === null ? null : await trace.facts(),
  };
}

/** Some runners write colours wherever CI is set. */
const withoutColours = (text: string): string => text.replaceAll(/\u001B\[[\d;:]*m/g, '');

interface Beside {
  /** Returns how it ended, if it ended before it was told to. */
  close(): Promise<SandboxResult | null>;
}

const NOTHING_BESIDE: Beside = { close: () => Promise.resolve(null) };

/** `worker`: the code under test, if it is already running; otherwise `start` runs it for each call. */
function connect(
  subject: Subject,
  wire: Duplex | undefined,
  worker: Sandboxed | null,
  said: Transcript,
  start: (cell: SandboxCommand) => Sandboxed,
): Beside {
  if (wire === undefined || subject.kind === 'shared') return NOTHING_BESIDE;
  if (subject.kind === 'worker') return worker === null ? NOTHING_BESIDE : answerBy(worker, wire, said);
  const calls = new SubjectCalls(wire, subject.dirs, (argv) => start({ ...subject.cell, argv }));
  return {
    async close() {
      await calls.close();
      return null;
    },
  };
}

/** Connects the two ends of the wire. If the worker ends, the tests see the end of the wire, but never the reverse. */
function answerBy(worker: Sandboxed, wire: Duplex, said: Transcript): Beside {
  for (const stream of [worker.stdout, worker.stderr]) said.listen(stream);
  worker.stdin.end();
  const [other] = worker.channels;
  if (other !== undefined) {
    wire.pipe(other, { end: false });
    other.pipe(wire);
  }
  let endedEarly: SandboxResult | null = null;
  let closing = false;
  const ended = worker.ended.then((end) => {
    if (!closing) endedEarly = end;
    wire.end();
  });
  return {
    async close() {
      closing = true;
      worker.kill();
      await ended;
      return endedEarly;
    },
  };
}
