import { PANES } from '../../engines/pane/list.ts';
import { type PaneScreen, readScreen } from '../../engines/pane/screen.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { typeInto } from './type-into.ts';
import { named } from './down.ts';
import { historyOf, type Operation, sessionsOf } from './operate.ts';

const TAKEN_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 200;

/** `taken`: the screen changed by more than the typed text. */
export interface SendResult {
  readonly taken: boolean;
  readonly evidence: string;
}

/** Types a message into an agent's pane, submits it, and looks whether it was taken. Refuses a pane that shows a dialog: Enter would answer it. */
export async function sendMessage(operation: Operation, name: string, text: string): Promise<SendResult> {
  const { project, host, journal } = operation;
  const agent = named(operation)(name);
  const session = (await sessionsOf(operation)).get(agent.session);
  const current = historyOf(operation).agents.get(name)?.current ?? null;
  if (session === undefined || session.dead !== null)
    throw new SeatrialError('blocked', `${name} is not running; start it with \`seatrial up ${name}\``);
  if (session.project !== project.id || session.spawn !== current?.started.spawn)
    throw new SeatrialError('blocked', `session ${agent.session} was not started by this project; nothing was typed`);
  const before = await host.screen(agent.session);
  const rules = agent.backend === null ? [] : (PANES.get(agent.backend)?.screens ?? []);
  const state = before === null ? 'unknown' : readScreen(rules, before, operation.clock.now()).state;
  if (state === 'login' || state === 'permission' || state === 'trust')
    throw new SeatrialError(
      'blocked',
      `${name} shows a ${state} dialog, which the message would answer; \`seatrial attach ${name}\``,
    );
  const guard = { project: project.id, spawn: session.spawn, fence: null };
  const result = await typeInto(host, agent.session, text, guard);
  if (result.kind !== 'done')
    throw new SeatrialError(
      'blocked',
      `the message could not be typed: ${result.kind === 'unknown' ? result.why : `the session is ${result.kind}`}`,
    );
  const seen = await taken(operation, agent.session, before, text);
  await journal.append({
    type: 'message.sent',
    agent: name,
    spawn: session.spawn ?? '',
    sha256: sha256(text),
    taken: seen !== null,
  });
  return { taken: seen !== null, evidence: seen ?? 'the screen shows no reaction' };
}

/** Lines that are neither of before nor of the message itself. */
async function taken(
  { host }: Operation,
  session: string,
  before: PaneScreen | null,
  text: string,
): Promise<string | null> {
  const old = new Set(before?.lines ?? []);
  const typed = text.split('\n').map((line) => line.trim());
  for (let waited = 0; waited < TAKEN_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const screen = await host.screen(session);
    if (screen === null) return 'the session ended';
    if (screen.title !== before?.title) return `title: ${screen.title}`;
    const fresh = screen.lines.find(
      (line) => line.trim() !== '' && !old.has(line) && !typed.some((part) => part !== '' && line.includes(part)),
    );
    if (fresh !== undefined) return fresh.trim();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return null;
}
