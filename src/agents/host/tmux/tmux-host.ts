import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { endProcesses, processesBelow } from './processes.ts';
import type { SessionChange, CreateResult, Fence, Guard, HostView, SessionHost, SessionRequest } from '../port.ts';
import { LIST_COMMANDS, parseList } from './format.ts';
import { fenceHolds, fenceOption, guardCondition, guarded, REFUSED } from './quote.ts';
import type { TmuxAnswer, TmuxTransport } from './transport.ts';

const WIDTH = '200';
const HEIGHT = '50';
const CREATE_ATTEMPTS = 5;
const CREATE_PAUSE_MS = 100;

interface TmuxOptions {
  readonly socket: string;
  /** For questions and changes; may be a connection that stays open. */
  readonly transport: TmuxTransport;
  /** For what needs a process of its own: starting the server, and text on standard input. */
  readonly forked: TmuxTransport;
}

/** Sessions of one tmux server. */
export class TmuxHost implements SessionHost {
  readonly #socket: string;
  readonly #transport: TmuxTransport;
  readonly #forked: TmuxTransport;

  constructor({ socket, transport, forked }: TmuxOptions) {
    this.#socket = socket;
    this.#transport = transport;
    this.#forked = forked;
  }

  async list(): Promise<HostView> {
    const answer = await this.#transport.run(LIST_COMMANDS);
    switch (answer.kind) {
      case 'ok':
        return { kind: 'present', sessions: parseList(answer.lines) };
      case 'error':
        return { kind: 'unknown', why: answer.message };
      default:
        return answer;
    }
  }

  async create(request: SessionRequest): Promise<CreateResult> {
    mkdirSync(dirname(this.#socket), { recursive: true, mode: 0o700 });
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#forked.run(createCommands(request));
      if (answer.kind === 'ok') return { kind: answer.lines.includes(REFUSED) ? 'refused' : 'done' };
      if (answer.kind === 'error' && answer.message.startsWith('duplicate session')) return { kind: 'taken' };
      // A server that is just ending refuses the first session after it.
      if (attempt === CREATE_ATTEMPTS) return { kind: 'unknown', why: whyOf(answer) };
      await new Promise((resolve) => setTimeout(resolve, CREATE_PAUSE_MS * attempt));
    }
  }

  async end(name: string, guard: Guard): Promise<SessionChange> {
    const view = await this.list();
    const session = view.kind === 'present' ? view.sessions.get(name) : undefined;
    // A dead pane has no processes left, and looking for them takes time.
    const processes = session === undefined || session.dead !== null ? [] : processesBelow(session.pid);
    const result = await this.#change(name, guard, this.#transport, [['kill-session', '-t', `=${name}`]]);
    if (result.kind === 'done') await endProcesses(processes);
    return result;
  }

  async screen(name: string) {
    const pane = await this.#pane(name);
    if (pane === null) return null;
    const answer = await this.#transport.run([
      ['display-message', '-p', '-t', pane, '#{pane_title}'],
      ['capture-pane', '-p', '-t', pane],
    ]);
    if (answer.kind !== 'ok') return null;
    const [title = '', ...lines] = answer.lines;
    while (lines.at(-1)?.trim() === '') lines.pop();
    return { title, lines };
  }

  async paste(name: string, text: string, guard: Guard): Promise<SessionChange> {
    const buffer = `seatrial-${randomBytes(6).toString('hex')}`;
    const loaded = await this.#forked.run([['load-buffer', '-b', buffer, '-']], text);
    if (loaded.kind !== 'ok')
      return loaded.kind === 'absent' ? { kind: 'gone' } : { kind: 'unknown', why: whyOf(loaded) };
    const pane = (await this.#pane(name)) ?? '';
    const paste = ['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane];
    const result = await this.#change(name, guard, this.#transport, [paste]);
    if (result.kind !== 'done') await this.#transport.run([['delete-buffer', '-b', buffer]]);
    return result;
  }

  async press(name: string, key: 'Enter' | 'Escape', guard: Guard): Promise<SessionChange> {
    const pane = (await this.#pane(name)) ?? '';
    return this.#change(name, guard, this.#transport, [['send-keys', '-t', pane, key]]);
  }

  async fence(name: string): Promise<number | null> {
    const answer = await this.#transport.run([['show-options', '-sqv', fenceOption(name)]]);
    const text = answer.kind === 'ok' ? (answer.lines[0] ?? '') : '';
    return /^\d+$/.test(text) ? Number(text) : null;
  }

  async raiseFence({ name, value }: Fence): Promise<boolean> {
    const option = fenceOption(name);
    const lower = `#{e|<:#{?#{${option}},#{${option}},0},${value}}`;
    const answer = await this.#transport.run([guarded(lower, null, [['set-option', '-s', option, String(value)]])]);
    return answer.kind === 'ok' && !answer.lines.includes(REFUSED);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #pane(name: string): Promise<string | null> {
    const answer = await this.#transport.run([['list-panes', '-s', '-t', `=${name}:`, '-F', '#{pane_id}']]);
    if (answer.kind !== 'ok') return null;
    const ids = answer.lines.map((line) => Number(line.slice(1)));
    return ids.length === 0 ? null : `%${Math.min(...ids)}`;
  }

  async #change(
    name: string,
    guard: Guard,
    transport: TmuxTransport,
    commands: readonly (readonly string[])[],
  ): Promise<SessionChange> {
    const pane = await this.#pane(name);
    if (pane === null) return this.#whyNoPane(name);
    const answer = await transport.run([guarded(guardCondition(name, guard), pane, commands)]);
    if (answer.kind === 'absent') return { kind: 'gone' };
    if (answer.kind !== 'ok') return { kind: 'unknown', why: whyOf(answer) };
    return { kind: answer.lines.includes(REFUSED) ? 'refused' : 'done' };
  }

  async #whyNoPane(name: string): Promise<SessionChange> {
    const view = await this.list();
    if (view.kind === 'unknown') return view;
    return view.kind === 'present' && view.sessions.has(name)
      ? { kind: 'unknown', why: `session ${name} has no pane` }
      : { kind: 'gone' };
  }
}

function createCommands({ name, project, spawn, cwd, argv, fence }: SessionRequest): readonly (readonly string[])[] {
  const target = `=${name}:`;
  const commands = [
    ['new-session', '-d', '-s', name, '-x', WIDTH, '-y', HEIGHT, '-c', cwd, '--', ...argv],
    ['set-option', '-t', target, 'remain-on-exit', 'on'],
    ['set-option', '-t', target, '@seatrial_project', project],
    ['set-option', '-t', target, '@seatrial_spawn', spawn],
  ];
  return fence === null ? commands : [guarded(fenceHolds(fence), null, commands)];
}

function whyOf(answer: TmuxAnswer): string {
  switch (answer.kind) {
    case 'error':
      return answer.message;
    case 'unknown':
      return answer.why;
    case 'absent':
      return 'there is no tmux server';
    case 'ok':
      return 'tmux answered';
    default:
      return answer satisfies never;
  }
}
