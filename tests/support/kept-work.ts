import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { processesWith } from './processes.ts';
import { Project, TEST } from './project.ts';
import { type CallOptions, type Ended, readReport, type Running } from './seatrial.ts';

let naps = 0;

/** A repository and an engine that does a part of its work and then stays. */
export class HalfDone extends Project {
  /** Tells this engine from all others that sleep. */
  readonly nap = `4${process.pid}.${(naps += 1)}`;
  /** Every path that `WORK` changes. */
  static readonly CHANGED = ['new.txt', 'sum.py'];

  /** Resolves when the engine has done `work` and waits to be ended. */
  async begin(work = WORK, args: readonly string[] = [], options: CallOptions = {}): Promise<Running> {
    const engine = ['--engine', 'command', '--command', `${work}\nexec sleep ${this.nap}`];
    const asked = ['--repo', this.repo, '--ask', 'Make total right.', '--test', TEST];
    const running = this.start(['run', ...asked, ...engine, ...args], options);
    await this.untilAsleep();
    return running;
  }

  untilAsleep(): Promise<unknown> {
    return vi.waitUntil(() => processesWith(/^sleep /, this.nap).length > 0, { timeout: 60_000 });
  }

  /** The only run there is. */
  get runId(): string {
    const [run = '', ...others] = this.runDirs();
    expect(others).toEqual([]);
    return run;
  }

  get dir(): string {
    return join(this.runs, this.runId);
  }

  get report(): Report {
    return readReport(this.dir);
  }

  get patch(): string {
    return readFileSync(join(this.dir, 'patch.diff'), 'utf8');
  }

  /** The directory that the run works in, while it is not finished. */
  get scratch(): string {
    return JSON.parse(readFileSync(join(this.runs, '.live', `${this.runId}.json`), 'utf8')).scratch;
  }

  /** A harness that had no time for a word. */
  async kill(running: Running): Promise<void> {
    running.child.kill('SIGKILL');
    await running.ended;
  }

  recover(options: CallOptions = {}): Promise<Ended> {
    return this.seatrial(['runs', 'recover'], options);
  }

  override remove(): void {
    if (this.runDirs().length === 1 && existsSync(join(this.runs, '.live', `${this.runId}.json`)))
      rmSync(this.scratch, { recursive: true, force: true });
    super.remove();
  }
}

export const WORK = "sed -i 's/numbers\\[1:\\]/numbers/' sum.py; echo new > new.txt";
