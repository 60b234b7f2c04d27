import type { Sandboxed } from '../../confine/types.ts';
import type { Cause, ConversationEnd, ConversationPeer, Launch } from '../../engines/definition.ts';
import { askQuestion, denyQuestion } from '../approvals/ask.ts';
import type { Run } from '../steps/state.ts';
import type { EngineEventRecorder } from './output/event-recorder.ts';
import type { EngineSession } from './session.ts';

/** After its turn, a program that is told that nothing more will come has this long to end by itself. */
const FAREWELL_MS = 2000;

/**
 * Talks with a program until its turn is over, and sees to it that it ends. Gives what the conversation says against a pass, once the
 * program has gone. Never rejects.
 */
export async function holdConversation(
  run: Run,
  program: Sandboxed,
  converse: NonNullable<Launch['converse']>,
  recorder: EngineEventRecorder,
  session: EngineSession,
): Promise<Cause | null> {
  const end = await converse(peerOf(run, program, recorder));
  if (end.kind === 'broken') session.stop({ kind: 'cut', reason: end.reason, detail: end.detail });
  else await sayFarewell(program, session);
  // The program may have ended first, whatever its exit code. One whose time was over did not break off: it was ended.
  const { kind } = await program.ended;
  return kind === 'timed_out' && end.kind === 'broken' ? null : causeIn(end);
}

function causeIn(end: ConversationEnd): Cause | null {
  return end.kind === 'broken' ? { reason: end.reason, detail: end.detail } : (end.cause ?? null);
}

async function sayFarewell(program: Sandboxed, session: EngineSession): Promise<void> {
  program.stdin.end();
  const timer = setTimeout(() => session.stop({ kind: 'turn over' }), FAREWELL_MS);
  await program.ended;
  clearTimeout(timer);
}

function peerOf(run: Run, program: Sandboxed, recorder: EngineEventRecorder): ConversationPeer {
  let asked = 0;
  return {
    input: program.stdin,
    output: program.stdout,
    record: (events) => recorder.record(events),
    ask: (request, onlyDenied, signal) => {
      const id = `permission-${(asked += 1)}`;
      const question = { from: 'agent', ...request } as const;
      return onlyDenied === null
        ? askQuestion(run, id, question, signal)
        : Promise.resolve(denyQuestion(run, id, question, onlyDenied));
    },
  };
}
