import type { SessionFacts } from '../port.ts';

/** A title may hold anything but a line feed, so it comes last. */
const PANE_FIELDS = [
  'session_name',
  '@seatrial_project',
  '@seatrial_spawn',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'session_created',
  'window_activity',
  'pane_title',
];
const CLIENT_FIELDS = ['session_name', 'client_control_mode', 'client_activity'];

const format = (kind: string, fields: readonly string[]): string =>
  [kind, ...fields.map((field) => `#{${field}}`)].join('\t');

/** One call for everything: panes of all sessions, and who is attached to them. */
export const LIST_COMMANDS: readonly (readonly string[])[] = [
  ['list-panes', '-a', '-F', format('pane', PANE_FIELDS)],
  ['list-clients', '-F', format('client', CLIENT_FIELDS)],
];

/** The session's own pane is its oldest: a person may have split the window. */
export function parseList(lines: readonly string[]): ReadonlyMap<string, SessionFacts> {
  const active = new Map<string, number>();
  for (const line of lines) {
    const [kind, session = '', control, time] = line.split('\t');
    if (kind === 'client' && control !== '1') active.set(session, Math.max(active.get(session) ?? 0, Number(time)));
  }
  const oldest = new Map<string, { readonly pane: number; readonly facts: SessionFacts }>();
  for (const line of lines) {
    const [kind, name = '', project, spawn, pane = '', pid, dead, code, signal, created, output, ...title] =
      line.split('\t');
    if (kind !== 'pane') continue;
    const id = Number(pane.slice(1));
    if ((oldest.get(name)?.pane ?? Infinity) < id) continue;
    const personAt = active.get(name);
    oldest.set(name, {
      pane: id,
      facts: {
        name,
        project: orNull(project),
        spawn: orNull(spawn),
        pid: Number(pid),
        dead: dead === '1' ? { code: code === '' ? null : Number(code), signal: signalName(signal) } : null,
        createdAt: seconds(created),
        outputAt: seconds(output),
        personActiveAt: personAt === undefined ? null : new Date(personAt * 1000),
        title: title.join('\t'),
      },
    });
  }
  return new Map(Array.from(oldest, ([name, { facts }]) => [name, facts]));
}

const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);
const seconds = (text: string | undefined): Date => new Date(Number(text) * 1000);

/** tmux gives a name without `SIG`, or a number. */
function signalName(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  return /^\d+$/.test(text) ? `signal ${text}` : `SIG${text.replace(/^SIG/, '')}`;
}
