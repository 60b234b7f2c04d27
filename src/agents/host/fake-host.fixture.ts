import type { PaneScreen } from '../../engines/pane/screen.ts';
import type {
  CreateResult,
  Fence,
  Guard,
  HostView,
  PaneDeath,
  SessionChange,
  SessionFacts,
  SessionHost,
  SessionRequest,
} from './port.ts';

interface FakeSession {
  readonly request: SessionRequest;
  readonly createdAt: Date;
  pid: number;
  lines: string[];
  typed: string;
  dead: PaneDeath | null;
  outputAt: Date;
  personActiveAt: Date | null;
}

/** Sessions in memory. Programs are played: `say <text>` prints, `exit <code>` ends, `echo` repeats what is typed, `wait` does nothing. */
export class FakeHost implements SessionHost {
  readonly #sessions = new Map<string, FakeSession>();
  readonly #fences = new Map<string, number>();
  #pid = 1000;
  /** Set to make the server unreachable. */
  unreachable: string | null = null;
  now = new Date('2026-01-01T00:00:00Z');

  list(): Promise<HostView> {
    if (this.unreachable !== null) return Promise.resolve({ kind: 'unknown', why: this.unreachable });
    if (this.#sessions.size === 0) return Promise.resolve({ kind: 'absent' });
    return Promise.resolve({
      kind: 'present',
      sessions: new Map(Array.from(this.#sessions, ([name, session]) => [name, factsOf(name, session)])),
    });
  }

  create(request: SessionRequest): Promise<CreateResult> {
    if (this.unreachable !== null) return Promise.resolve({ kind: 'unknown', why: this.unreachable });
    if (request.fence !== null && !this.#holds(request.fence)) return Promise.resolve({ kind: 'refused' });
    if (this.#sessions.has(request.name)) return Promise.resolve({ kind: 'taken' });
    const session: FakeSession = {
      request,
      createdAt: this.now,
      pid: (this.#pid += 1),
      lines: [],
      typed: '',
      dead: null,
      outputAt: this.now,
      personActiveAt: null,
    };
    this.#sessions.set(request.name, session);
    const [program = '', argument = ''] = request.argv;
    if (program === 'say') session.lines.push(argument);
    if (program === 'exit') session.dead = { code: Number(argument), signal: null };
    return Promise.resolve({ kind: 'done' });
  }

  end(name: string, guard: Guard): Promise<SessionChange> {
    return this.#change(name, guard, () => this.#sessions.delete(name));
  }

  screen(name: string): Promise<PaneScreen | null> {
    const session = this.#sessions.get(name);
    if (session === undefined) return Promise.resolve(null);
    return Promise.resolve({
      title: name,
      lines: session.typed === '' ? session.lines : [...session.lines, session.typed],
    });
  }

  paste(name: string, text: string, guard: Guard): Promise<SessionChange> {
    return this.#change(name, guard, (session) => (session.typed += text));
  }

  press(name: string, key: 'Enter' | 'Escape', guard: Guard): Promise<SessionChange> {
    return this.#change(name, guard, (session) => {
      if (key !== 'Enter') return;
      session.lines.push(session.typed);
      if (session.request.argv[0] === 'echo') session.lines.push(`got ${session.typed}`);
      session.typed = '';
    });
  }

  fence(name: string): Promise<number | null> {
    return Promise.resolve(this.#fences.get(name) ?? null);
  }

  raiseFence({ name, value }: Fence): Promise<boolean> {
    if (this.#sessions.size === 0 || (this.#fences.get(name) ?? 0) >= value) return Promise.resolve(false);
    this.#fences.set(name, value);
    return Promise.resolve(true);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #holds({ name, value }: Fence): boolean {
    return this.#fences.get(name) === value;
  }

  #change(name: string, guard: Guard, work: (session: FakeSession) => unknown): Promise<SessionChange> {
    if (this.unreachable !== null) return Promise.resolve({ kind: 'unknown', why: this.unreachable });
    const session = this.#sessions.get(name);
    if (session === undefined) return Promise.resolve({ kind: 'gone' });
    const { project, spawn } = session.request;
    const holds =
      project === guard.project &&
      (guard.spawn === null || guard.spawn === spawn) &&
      (guard.fence === null || this.#holds(guard.fence));
    if (!holds) return Promise.resolve({ kind: 'refused' });
    work(session);
    return Promise.resolve({ kind: 'done' });
  }
}

function factsOf(name: string, { request, createdAt, pid, dead, outputAt, personActiveAt }: FakeSession): SessionFacts {
  const { project, spawn } = request;
  return { name, project, spawn, pid, dead, createdAt, outputAt, personActiveAt, title: name };
}
