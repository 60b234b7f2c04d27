import { mkdtempSync, watch, type FSWatcher } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { refOf } from '../../confine/processes/process-life.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { buildId } from '../../kernel/build-id.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { CheckpointWriter } from '../checkpoint/write.ts';
import type { Agent, Phase, Project } from '../config/project.ts';
import type { Fence, SessionFacts, SessionHost } from '../host/port.ts';
import { JournalFold, type ProjectHistory } from '../journal/fold.ts';
import { openJournal, type Journal } from '../journal/store.ts';
import { Notifier } from '../notify/notifier.ts';
import { PhaseRunner } from '../phases/run.ts';
import { settleIndex } from '../phases/settle-index.ts';
import { aliveFifo, phaseFiles, stateDir } from '../protocol/paths.ts';
import { act, FencedOut } from './act.ts';
import { DeathWatch } from './deaths.ts';
import { decideAgent } from './decide.ts';
import { gatherAgentFacts } from './gather.ts';
import { takeWatchdogLock, type WatchdogLock } from './lock.ts';
import { LOOK_EVERY_MS, LOOK_SOON_MS, nextLook } from './next-look.ts';
import { Observer } from './observe.ts';

const BEAT_EVERY_MS = 5000;
const MAX_ACTIONS = 20;

interface WatchdogOptions {
  readonly project: Project;
  readonly host: SessionHost;
  readonly clock: Clock;
  readonly lockPath: string;
  readonly fenceName: string;
  readonly signal: AbortSignal;
  readonly spawn: string;
  /** A line about what was done, for the pane. */
  readonly log: (line: string) => void;
  /** Read again at every look, so that a changed agents.toml counts. Null: it cannot be read now. */
  readonly reload: () => Project | null;
}

/** Keeps the agents of a project working until it is told to end. Throws if another watchdog runs, or has taken over. */
export async function runWatchdog(options: WatchdogOptions): Promise<void> {
  const lock = await takeWatchdogLock(options.lockPath);
  if (lock === null)
    throw new SeatrialError('blocked', `another watchdog holds ${options.lockPath}; this one does nothing`);
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-watchdog-'));
  const beat = setInterval(() => lock.beat(options.clock.now()), BEAT_EVERY_MS);
  const watchdog = new Watchdog(options, lock, scratch);
  try {
    await watchdog.run();
  } finally {
    clearInterval(beat);
    watchdog.close();
    await removeTree(scratch);
    lock.release();
  }
}

class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #lock: WatchdogLock;
  readonly #journal: Journal;
  readonly #fold = new JournalFold();
  readonly #notifier: Notifier;
  readonly #observer: Observer;
  readonly #phases: PhaseRunner;
  readonly #deaths: DeathWatch;
  readonly #checkpoint: CheckpointWriter;
  #project: Project;
  #fence: Fence;
  #wake: () => void = () => {};
  #woken = false;
  #watched: { readonly phase: string; readonly watchers: readonly FSWatcher[] } | null = null;

  constructor(options: WatchdogOptions, lock: WatchdogLock, scratch: string) {
    const { project, host, clock, signal } = options;
    this.#options = options;
    this.#lock = lock;
    this.#project = project;
    this.#fence = { name: options.fenceName, value: 0 };
    this.#journal = openJournal(stateDir(project), clock);
    this.#notifier = new Notifier(this.#journal, clock);
    this.#observer = new Observer(project, host);
    const wake = (): void => this.#stir();
    this.#phases = new PhaseRunner({ project, journal: this.#journal, clock, scratch, signal, onProof: wake });
    this.#deaths = new DeathWatch(wake);
    this.#checkpoint = new CheckpointWriter(buildId(), clock);
    signal.addEventListener('abort', wake, { once: true });
  }

  async run(): Promise<void> {
    await this.#takeOver();
    while (!this.#options.signal.aborted) {
      await this.#sleep(await this.#look());
    }
    await this.#phases.settled();
    await this.#notifier.settled();
  }

  close(): void {
    this.#deaths.close();
    for (const watcher of this.#watched?.watchers ?? []) watcher.close();
  }

  /** Whoever held the fence before is shut out from here on. */
  async #takeOver(): Promise<void> {
    const { host, fenceName, spawn } = this.#options;
    const value = Math.max(this.#lock.previousFence, (await host.fence(fenceName)) ?? 0) + 1;
    this.#fence = { name: fenceName, value };
    // An answer can be lost with the connection: what counts is what tmux has.
    if (!(await host.raiseFence(this.#fence)) && (await host.fence(fenceName)) !== value)
      throw new SeatrialError('blocked', 'the fence of the watchdog could not be set in tmux');
    this.#lock.announce(value);
    const self = refOf(process.pid);
    await this.#journal.append({
      type: 'watchdog.started',
      spawn,
      pid: process.pid,
      start_time: self?.startTime ?? '',
      fence: value,
    });
  }

  #stir(): void {
    this.#woken = true;
    this.#wake();
  }

  #sleep(ms: number): Promise<void> {
    if (this.#woken) {
      this.#woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#woken = false;
        resolve();
      };
    });
  }

  /** Looks at everything once and acts. Returns when to look again, in milliseconds. */
  async #look(): Promise<number> {
    const { host, clock, reload } = this.#options;
    this.#lock.beat(clock.now());
    this.#project = reload() ?? this.#project;
    const held = await host.fence(this.#fence.name);
    if (held === null) await host.raiseFence(this.#fence);
    else if (held > this.#fence.value) throw new FencedOut('another watchdog has taken over');
    let history = this.#history();
    let index = settleIndex(this.#project, history);
    for (let steps = 0; steps < MAX_ACTIONS; steps += 1) {
      const phase = this.#project.phases[index];
      if (phase === undefined || !(await this.#stepPhase(phase, index, history))) break;
      history = this.#history();
      index = settleIndex(this.#project, history);
    }
    const phase = this.#project.phases[index] ?? null;
    this.#watchFiles(phase);
    const next = await this.#lookAtAgents(history, phase);
    this.#notifier.look(this.#project);
    this.#checkpoint.keep({ project: this.#project, history: this.#history(), position: this.#journal.position() });
    return next;
  }

  #history(): ProjectHistory {
    return this.#fold.update(this.#journal.read());
  }

  /** A repository that cannot be read now is looked at again next time; agents are tended all the same. */
  async #stepPhase(phase: Phase, index: number, history: ProjectHistory): Promise<boolean> {
    try {
      return await this.#phases.step(phase, index, history);
    } catch (error) {
      if (!(error instanceof SeatrialError)) throw error;
      this.#options.log(`phase ${phase.id}: ${error.message}`);
      return false;
    }
  }

  async #lookAtAgents(before: ProjectHistory, phase: Phase | null): Promise<number> {
    const { host } = this.#options;
    let history = before;
    let next = LOOK_EVERY_MS;
    const view = await host.list();
    // Nothing is known, so nothing is healed.
    if (view.kind === 'unknown') return next;
    const sessions = view.kind === 'present' ? view.sessions : new Map<string, SessionFacts>();
    for (const agent of this.#project.agents) {
      try {
        const after = await this.#tend(agent, sessions.get(agent.session) ?? null, history, phase);
        if (after.acted) next = Math.min(next, LOOK_SOON_MS);
        history = after.history;
      } catch (error) {
        // One agent that cannot be started must not keep the others from being looked after.
        if (!(error instanceof SeatrialError)) throw error;
        this.#options.log(`${agent.name}: ${error.message}`);
      }
      next = Math.min(next, nextLook(agent, history.agents.get(agent.name) ?? null, phase, this.#options.clock.now()));
    }
    this.#followDeaths(history);
    return next;
  }

  /** Decides and acts until there is nothing more to do to one agent now. */
  async #tend(
    agent: Agent,
    session: SessionFacts | null,
    before: ProjectHistory,
    phase: Phase | null,
  ): Promise<{ readonly acted: boolean; readonly history: ProjectHistory }> {
    const { host, clock, log } = this.#options;
    const [project, journal, fence] = [this.#project, this.#journal, this.#fence];
    let history = before;
    let seen = session;
    for (let steps = 0; steps < 3; steps += 1) {
      const facts = await gatherAgentFacts({
        project,
        observer: this.#observer,
        agent,
        session: seen,
        history,
        phase,
        now: clock.now(),
      });
      const action = decideAgent(facts, clock.now(), 0.8 + Math.random() * 0.4);
      if (action === null) return { acted: steps > 0, history };
      log(`${agent.name}: ${action.do}${'why' in action ? ` (${action.why})` : ''}`);
      const base = phase === null ? null : (history.phases.get(phase.id)?.began?.base ?? null);
      await act(action, facts, { project, host, journal, fence, phase, base });
      history = this.#history();
      if (action.do === 'stop' || action.do === 'stop-earlier' || action.do === 'restart-stalled') seen = null;
      // What was just started is looked at next time.
      else if (action.do !== 'record-death') break;
    }
    return { acted: true, history };
  }

  #followDeaths({ agents }: ProjectHistory): void {
    const fifos = new Map<string, string>();
    for (const [name, { current }] of agents)
      if (current !== null && current.end === null)
        fifos.set(current.started.spawn, aliveFifo(this.#project, name, current.started.spawn));
    this.#deaths.follow(fifos);
  }

  /** A claim or verdict is seen when it is written, not two seconds later. */
  #watchFiles(phase: Phase | null): void {
    if (this.#watched?.phase === phase?.id) return;
    for (const watcher of this.#watched?.watchers ?? []) watcher.close();
    this.#watched = null;
    if (phase === null) return;
    const files = phaseFiles(this.#project, phase.id);
    const watchers = [files.status, files.review].flatMap((path) => {
      try {
        return [watch(dirname(path), () => this.#stir())];
      } catch {
        return []; // the regular look sees it
      }
    });
    this.#watched = { phase: phase.id, watchers };
  }
}
