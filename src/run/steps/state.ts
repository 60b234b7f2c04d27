import { dirname, join, relative } from 'node:path';
import { isWithin } from '../../kernel/path-text.ts';
import type { Programs } from '../../confine/tools/caller-programs.ts';
import type { Overlay } from '../../confine/overlay/space.ts';
import type { Confinement, Limits, Mount } from '../../confine/types.ts';
import { artifactPath, type Bundle } from '../../evidence/bundle/bundle.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { Refused } from '../../evidence/reasons/refused.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { WriteFailed } from '../../evidence/storage/write-failed.ts';
import type { RunLog, StepTiming } from '../../evidence/log/run-log.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import { diskFullText, messageOf, SeatrialError } from '../../kernel/errors.ts';
import { type Blocker, blockersIn, type StepName } from '../../evidence/report/verdict.ts';
import type { RunEvent } from '../../evidence/schema/events.ts';
import type { ConfinementReport } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';
import type { RunRequest } from '../request.ts';

/** Ends the steps of a run at once; what is left to do is to seal. */
class Stop extends Error {
  constructor() {
    super('the run is stopped');
  }
}

/**
 * Where a run that was interrupted or blocked ends: around each step, unless an engine has worked whose changes are not kept yet.
 * `never`: the step is done whatever has happened, and ends the run itself if it must.
 */
export type StepEnds = 'before and after' | 'before' | 'never';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a run is made of. `steps`: the one under way comes last; the log and the observer look at them too. */
interface RunParts extends Pick<Run, 'request' | 'bundle' | 'log' | 'mask' | 'setupMask' | 'scratch' | 'limits'> {
  readonly steps: StepTiming[];
}

/** One run under way: where it writes, what it has found. Steps are functions over this. */
export class Run {
  readonly request: RunRequest;
  readonly bundle: Bundle;
  readonly log: RunLog;
  /** Null until the first step has written it. */
  contract: Contract | null = null;
  readonly scratch: string;
  readonly limits: Limits;
  /** For whatever comes from outside and is to be kept. */
  readonly mask: Masker;
  /** For the output of setups, which are given more secrets. */
  readonly setupMask: Masker;
  readonly #ahead: Promise<unknown>[] = [];
  readonly #atEnd: (() => Promise<unknown>)[] = [];
  #isOver = false;
  #leavesScratch = false;
  /** Those of the log, which grows. */
  readonly #events: readonly RunEvent[];
  /** The blockers among the first `readTo` events. */
  #raised: { readonly readTo: number; readonly blockers: readonly Blocker[] } = { readTo: 0, blockers: [] };
  #raisedCount = 0;
  /** Reasons whose event could not be written yet. */
  readonly #unwritten: Blocker[] = [];
  readonly #steps: StepTiming[];

  constructor({ request, bundle, log, mask, setupMask, steps, scratch, limits }: RunParts) {
    this.request = request;
    this.bundle = bundle;
    this.log = log;
    this.#events = log.events;
    this.scratch = scratch;
    this.limits = limits;
    this.mask = mask;
    this.setupMask = setupMask;
    this.#steps = steps;
  }

  /** A directory of the scratch, outside the bundle. */
  scratchPath(...parts: string[]): string {
    return join(this.scratch, ...parts);
  }

  artifact(name: string): string {
    return artifactPath(this.bundle, name);
  }

  /** The steps go on, to find every reason there is. */
  fail(why: Reason<'fail'>): void {
    this.#add('fail', why);
  }

  /** Raised at the end, in the name of the step it belongs to. */
  failIn(step: StepName, reasons: readonly Reason<'fail'>[]): void {
    for (const one of reasons) this.#add('fail', one, step);
  }

  failForAll(reasons: readonly Reason[]): void {
    for (const one of reasons) this.#add('fail', one);
  }

  /** No verdict is possible any more: the steps end here. */
  block(why: Reason<'blocked'>): never {
    this.#add('blocked', why);
    throw new Stop();
  }

  /** The first reason decides. */
  blockForAll(reasons: readonly Reason[]): never {
    for (const one of reasons) this.#add('blocked', one);
    throw new Stop();
  }

  /** Whatever its status, the step goes on: there is work to keep. `detail` is written to the reason's marker file. */
  raise(why: Reason, detail: string | null = null): void {
    if (detail !== null && why.marker !== undefined) this.log.mark(why.marker, this.mask.text(detail));
    this.#add(why.status, why);
  }

  get blockers(): readonly Blocker[] {
    if (this.#raised.readTo !== this.#events.length)
      this.#raised = { readTo: this.#events.length, blockers: blockersIn(this.#events) };
    return [...this.#raised.blockers, ...this.#unwritten];
  }

  /** The engine's program on this machine. */
  get executable(): string | null {
    return this.#events.findLast((event) => event.type === 'candidate.described')?.data.executable?.path ?? null;
  }

  /** The sandbox as it was described last. */
  get confinement(): ConfinementReport | null {
    return this.#events.findLast((event) => event.type === 'sandbox.described')?.data.confinement ?? null;
  }

  get isStopped(): boolean {
    return this.request.signal.aborted || this.blockers.some(({ kind }) => kind !== 'fail');
  }

  /** Whether what the workspace is laid over can still be read. Of a copy, nothing is needed. */
  isWorkspaceThere: () => boolean = () => true;

  /** An engine has worked, no process of it is left, and its changes can be read by whoever can. */
  get hasWorkToRead(): boolean {
    return this.hasUnkeptWork && this.#steps.some(({ name }) => name === 'freeze');
  }

  /** An engine was started, and what it did is not in the bundle. */
  get hasUnkeptWork(): boolean {
    const seen = new Set(this.#events.map(({ type }) => type));
    return seen.has('backend.started') && !seen.has('git.diff.checked');
  }

  /** To be called where nothing of what an engine did can get lost. */
  endIfStopped(): void {
    this.#noteInterruption();
    if (this.isStopped) throw new Stop();
  }

  async step<T>(name: StepName, work: () => Promise<T> | T, ends: StepEnds = 'before and after'): Promise<T> {
    this.beginStep(name);
    if (ends === 'before' || ends === 'before and after') this.endIfStopped();
    const before = this.#raisedCount;
    let result: T;
    let done = false;
    try {
      result = await work();
      done = !this.request.signal.aborted && this.#raisedCount === before;
    } finally {
      this.#endStep(done);
    }
    await turn(); // A signal that came during a step that never waited is noticed here.
    this.#noteInterruption();
    if (ends === 'before and after') this.endIfStopped();
    return result;
  }

  beginStep(name: StepName): void {
    this.#steps.push({ name, started: this.request.environment.clock.mono(), ended: null, ok: false });
  }

  #endStep(ok: boolean): void {
    const step = this.#steps.pop();
    if (step !== undefined) this.#steps.push({ ...step, ended: this.request.environment.clock.mono(), ok });
  }

  get #step(): StepName {
    return this.#steps.at(-1)?.name ?? 'contract';
  }

  #noteInterruption(): void {
    const noted = this.blockers.some(({ code }) => code === 'interrupted');
    if (this.request.signal.aborted && !noted) this.raise(reason('interrupted'));
  }

  /** Done when the steps are over, whatever their end, and before the report is made; at once, if they are over. */
  atEnd(work: () => Promise<unknown>): void {
    if (this.#isOver) this.#ahead.push(work().catch(() => {}));
    else this.#atEnd.push(work);
  }

  async endWork(): Promise<void> {
    this.#isOver = true;
    for (const work of this.#atEnd) await work().catch((error: unknown) => this.takeFault(error));
  }

  /** Whatever ended the steps early becomes a blocker: nothing escapes without a reason. */
  takeFault(error: unknown): void {
    if (error instanceof Stop) return;
    if (!this.isWorkspaceThere()) return this.#add('blocked', reason('workspace_gone'));
    const full = diskFullText(error);
    const isOfScratch =
      error instanceof WriteFailed
        ? isWithin(error.path, this.scratch)
        : !(error instanceof SeatrialError && error.code === 'evidence');
    if (full !== null && isOfScratch)
      return this.#add('blocked', reason('scratch_full', { dir: dirname(this.scratch), why: full }));
    if (error instanceof WriteFailed) {
      const path = isWithin(error.path, this.bundle.dir) ? relative(this.bundle.dir, error.path) : error.path;
      return this.#add('lost', reason('artifact_write_failed', { path }));
    }
    if (error instanceof Refused) {
      for (const one of error.reasons) this.#add('blocked', one);
      return;
    }
    const text = messageOf(error);
    if (!(error instanceof SeatrialError))
      return this.#add('blocked', reason('internal_error', { step: this.#step, error: text }));
    if (error.code === 'evidence') return this.#add('lost', reason('evidence_lost', { why: text }));
    this.#add('blocked', reason('refused', { why: text }));
  }

  /** Texts quote names of files and words of programs, so they are masked. */
  #add(kind: Blocker['kind'], { code, text, cause }: Reason, step = this.#step): void {
    const masked = this.mask.text(text);
    this.#raisedCount += 1;
    this.#unwritten.push({ step, code, text: masked, kind, ...(cause === undefined ? {} : { cause }) });
    try {
      this.writeBlockers();
    } catch {
      // Sealing writes them, or fails.
    }
  }

  /** Throws while a reason cannot be written: a run must not pass because its log was full. */
  writeBlockers(): void {
    for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
      const { text, ...given } = next;
      this.log.append('blocker.raised', 'harness', { ...given, reason: text });
      this.#unwritten.shift();
    }
  }

  /** Starts work that a later step waits for; what goes wrong in it shows there. */
  ahead<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    this.#ahead.push(result.catch(() => {}));
    return result;
  }

  /** What is in the scratch directory stays. */
  leaveScratch(): void {
    this.#leavesScratch = true;
  }

  /** For when nothing that counts lies there any more. Never rejects. False: something is left for `runs recover`. */
  async clearScratch(): Promise<boolean> {
    // Work that ends may have work of its own to undo.
    while (this.#ahead.length > 0) await Promise.all(this.#ahead.splice(0));
    if (this.#leavesScratch) return true;
    return removeTree(this.scratch).then(
      () => true,
      () => false,
    );
  }
}

/** The files of the engine's workspace, as the harness reads and writes them. */
export interface WorkspaceFiles {
  readonly dir: string;
  /** Null: they are a copy. */
  readonly overlay: Overlay | null;
}

/** A run whose confinement is open: what the steps from the workspace on work in. */
export interface RunSandbox {
  readonly confinement: Confinement;
  readonly workspace: Mount;
  readonly workspaceFiles: WorkspaceFiles;
  /** Where engines and reviewers start, as seen inside. */
  readonly cwd: string;
  readonly mounts: readonly Mount[];
  readonly at: (insidePath: string) => string;
  /** The caller's programs that are mounted in it. */
  readonly programs: Programs;
  /** What engine and judge find in their environment of what was set up for them. */
  readonly env: Readonly<Record<string, string>>;
}
