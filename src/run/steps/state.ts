import { join } from 'node:path';
import { removeScratch } from '../../confine/scratch.ts';
import type { Programs } from '../../confine/tools/caller-programs.ts';
import type { Confinement, Limits, Mount } from '../../confine/types.ts';
import { artifactPath, type Bundle, writeArtifact } from '../../evidence/bundle/create.ts';
import type { EventLog } from '../../evidence/log/events.ts';
import { Masker } from '../../evidence/secrets/mask.ts';
import type { Attributes, Span, Trace } from '../../evidence/log/trace.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Blocker, StepName } from '../verdict.ts';
import { type Findings, nothingFound } from './findings.ts';
import type { RunRequest } from '../request.ts';

/** Ends the steps of a run at once; what is left to do is to seal. */
class Stop extends Error {
  constructor() {
    super('the run is stopped');
  }
}

const INTERRUPTION = 'interrupted';

/**
 * Where a run that was interrupted or blocked ends: around each step, unless an engine has worked whose changes are not kept yet.
 * `never`: the step is done whatever has happened, and ends the run itself if it must.
 */
export type StepEnds = 'before and after' | 'before' | 'never';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One run under way: where it writes, what it has found. Steps are functions over this. */
export class Run {
  readonly order: RunRequest;
  readonly bundle: Bundle;
  readonly log: EventLog;
  readonly scratch: string;
  readonly limits: Limits;
  /** For whatever comes from outside and is to be kept. */
  readonly mask: Masker;
  readonly findings: Findings = nothingFound();
  readonly #trace: Trace;
  readonly #root: Span;
  readonly #ahead: Promise<unknown>[] = [];
  readonly #atEnd: (() => Promise<unknown>)[] = [];
  #step: StepName = 'contract';

  constructor(order: RunRequest, bundle: Bundle, log: EventLog, trace: Trace, scratch: string, limits: Limits) {
    this.order = order;
    this.bundle = bundle;
    this.log = log;
    this.scratch = scratch;
    this.limits = limits;
    this.mask = new Masker(order.site.secrets);
    this.#trace = trace;
    this.#root = trace.start('run');
  }

  /** A folder of the scratch, outside the bundle. */
  scratchPath(...parts: string[]): string {
    return join(this.scratch, ...parts);
  }

  artifact(name: string): string {
    return artifactPath(this.bundle, name);
  }

  write(name: string, content: string | Uint8Array): void {
    writeArtifact(this.bundle, name, content);
  }

  /** A note for people below `backend/` that a reason refers to. */
  mark(name: string, text: string): void {
    this.write(`backend/${name}`, `${text}\n`);
    this.findings.markers.push(`backend/${name}`);
  }

  /** It ran and did not prove it; the steps go on, to find all there is to find. */
  fail(reason: string, extra: Pick<Blocker, 'cause'> = {}): void {
    this.#hold('fail', reason, extra);
  }

  /** No verdict is possible any more. */
  block(reason: string, extra: Pick<Blocker, 'cause'> = {}): never {
    this.#hold('blocked', reason, extra);
    throw new Stop();
  }

  /** The same, for several reasons, the first deciding. */
  blockForAll(reasons: readonly string[]): never {
    for (const reason of reasons) this.refuse(reason);
    throw new Stop();
  }

  /** No verdict is possible any more, and there is still something to look at and to keep. */
  refuse(reason: string): void {
    this.#hold('blocked', reason);
  }

  get isStopped(): boolean {
    return this.order.signal.aborted || this.findings.blockers.some(({ kind }) => kind !== 'fail');
  }

  /** An engine was started, and what it did is not in the bundle. */
  get hasUnkeptWork(): boolean {
    const seen = new Set(this.log.events.map(({ type }) => type));
    return seen.has('backend.started') && !seen.has('git.diff.checked');
  }

  /** To be called where nothing of what an engine did can get lost. */
  endIfStopped(): void {
    this.#noteInterruption();
    if (this.isStopped) throw new Stop();
  }

  async step<T>(name: StepName, work: () => Promise<T> | T, ends: StepEnds = 'before and after'): Promise<T> {
    this.#step = name;
    await turn(); // A signal that came during a step that never waited is noticed here.
    if (ends === 'before' || ends === 'before and after') this.endIfStopped();
    this.order.watch.step(name);
    const span = this.#trace.start(name, this.#root);
    const before = this.findings.blockers.length;
    try {
      const result = await work();
      this.#noteInterruption();
      if (ends === 'before and after') this.endIfStopped();
      span.end({ ok: this.findings.blockers.length === before });
      return result;
    } catch (error) {
      span.end({ ok: false });
      throw error;
    }
  }

  #noteInterruption(): void {
    const noted = this.findings.blockers.some(({ reason }) => reason === INTERRUPTION);
    if (this.order.signal.aborted && !noted) this.refuse(INTERRUPTION);
  }

  /** Something that took this long and has just ended. */
  traceCall(name: string, durationMs: number, ok: boolean, attributes: Attributes): void {
    this.#trace.start(name, this.#root, durationMs).end({ ok, attributes });
  }

  /** Done when the steps are over, whatever their end, and before the report is made. */
  atEnd(work: () => Promise<unknown>): void {
    this.#atEnd.push(work);
  }

  async endWork(): Promise<void> {
    for (const work of this.#atEnd) await work().catch((error: unknown) => this.takeFault(error));
  }

  /** Whatever ended the steps early becomes a blocker: nothing escapes without a reason. */
  takeFault(error: unknown): void {
    if (error instanceof Stop) return;
    if (error instanceof SeatrialError && error.code === 'evidence') {
      const path = /^artifact write failed: (.*?): /.exec(error.message)?.[1];
      const name = path?.startsWith(`${this.bundle.dir}/`) === true ? path.slice(this.bundle.dir.length + 1) : path;
      this.#hold('lost', name === undefined ? error.message : `artifact write failed: ${name}`);
      return;
    }
    const text = error instanceof Error ? error.message : String(error);
    const reason = error instanceof SeatrialError ? text : `internal error in step ${this.#step}: ${text}`;
    this.#hold('blocked', reason);
  }

  /** Reasons quote what came from outside: names of files, words of programs. */
  #hold(kind: Blocker['kind'], reason: string, extra: Pick<Blocker, 'cause'> = {}): void {
    this.findings.blockers.push({ step: this.#step, reason: this.mask.text(reason), kind, ...extra });
  }

  /** Starts work that a later step waits for; what goes wrong in it shows there. */
  ahead<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    this.#ahead.push(result.catch(() => {}));
    return result;
  }

  endTrace(): void {
    this.#root.end({
      ok: this.findings.blockers.length === 0,
      attributes: { blockers: this.findings.blockers.length },
    });
    this.#trace.close();
  }

  /** For when the steps are over: nothing that counts lies there any more. Never rejects. */
  async clearScratch(): Promise<void> {
    await Promise.all(this.#ahead);
    // What could not be removed takes nothing from the verdict.
    await removeScratch(this.scratch).catch(() => {});
  }
}

/** A run whose confinement is open: what the steps from the workspace on work in. */
export interface RunSandbox {
  readonly confinement: Confinement;
  readonly workspace: Mount;
  readonly mounts: readonly Mount[];
  readonly at: (insidePath: string) => string;
  /** The caller's programs that are mounted in it. */
  readonly programs: Programs;
  /** What engine and judge find in their environment of what was set up for them. */
  readonly env: Readonly<Record<string, string>>;
}
