import { spawnCommand } from '../../confine/processes/spawn.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Project } from '../config/project.ts';
import type { Journal } from '../journal/store.ts';
import { dueNotices, type Notice } from './due.ts';

const PATIENCE_MS = 30_000;

/** Tells a person by the project's `notify` command, beside whatever else goes on. A command that fails is journalled, not repeated. */
export class Notifier {
  readonly #journal: Journal;
  readonly #clock: Clock;
  #seen = 0;
  #telling: Promise<void> | null = null;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Returns at once. What is being told is not told again. */
  look(project: Project): void {
    const { notify } = project;
    const entries = this.#journal.read();
    if (notify === null || this.#telling !== null || entries.length === this.#seen) return;
    this.#seen = entries.length;
    const due = dueNotices(project, entries, this.#clock.now());
    if (due.length === 0) return;
    this.#telling = this.#tell(notify, project.dir, due).finally(() => (this.#telling = null));
  }

  async settled(): Promise<void> {
    await this.#telling;
  }

  async #tell(command: string, cwd: string, due: readonly Notice[]): Promise<void> {
    for (const notice of due) {
      const ok = await run(command, cwd, notice);
      await this.#journal.append({ type: 'notify.sent', about: notice.seq, ok });
    }
  }
}

/** True: it exited with 0 in time. Never rejects. */
function run(command: string, cwd: string, notice: Notice): Promise<boolean> {
  return new Promise((resolve) => {
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    const child = spawnCommand({ file: '/bin/sh', args: ['-c', command], env, cwd, stdio: [...stdio], identity: null });
    const timer = setTimeout(() => void child.kill('SIGKILL'), PATIENCE_MS);
    const end = (ok: boolean): void => {
      clearTimeout(timer);
      resolve(ok);
    };
    child.once('error', () => end(false));
    child.once('close', (code) => end(code === 0));
    // A command that does not read what it is told has its reasons.
    child.stdin?.on('error', () => {}).end(`${JSON.stringify(notice)}\n`);
  });
}
