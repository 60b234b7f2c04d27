import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { runTool } from '../../../confine/processes/spawn.ts';

/** What tmux answered to a list of commands. */
export type TmuxAnswer =
  | { readonly kind: 'ok'; readonly lines: readonly string[] }
  | { readonly kind: 'error'; readonly message: string }
  /** There is no server at the socket. */
  | { readonly kind: 'absent' }
  /** No answer in time, or no tmux. */
  | { readonly kind: 'unknown'; readonly why: string };

/** A way to give commands to one tmux server. Never rejects. */
export interface TmuxTransport {
  run(commands: readonly (readonly string[])[], input?: string): Promise<TmuxAnswer>;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;
const ASK_ATTEMPTS = 5;
const ASK_PAUSE_MS = 50;

/** Commands that change nothing, so that they may be asked again when the answer is lost. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'list-panes',
  'list-clients',
  'capture-pane',
  'display-message',
  'show-options',
]);

export const areQuestions = (commands: readonly (readonly string[])[]): boolean =>
  commands.every(([name = '']) => QUESTIONS.has(name));

interface ForkOptions {
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly answerWithinMs?: number;
}

/** A tmux client for each call. */
export function forkTransport({ socket, env, answerWithinMs = ANSWER_WITHIN_MS }: ForkOptions): TmuxTransport {
  return {
    run: async (commands, input) => {
      const starts = commands[0]?.[0] === 'new-session';
      // Asking a client costs more than a look, and without a socket there is no server to ask.
      if (!starts && !existsSync(socket)) return { kind: 'absent' };
      const args = commands.flatMap((command, index) => [...(index === 0 ? [] : [';']), ...command.map(escapeEnd)]);
      for (let attempt = 1; ; attempt += 1) {
        const done = await runTool('tmux', ['-u', '-S', socket, ...args], {
          env,
          timeoutMs: answerWithinMs,
          ...(input === undefined ? {} : { input }),
        });
        // A server that is just ending still takes connections. The next client finds it gone.
        const lost = SERVER_LOST.test(done.stderr) && areQuestions(commands);
        if (!lost || attempt === ASK_ATTEMPTS) return answerOf(done);
        await setTimeout(ASK_PAUSE_MS * attempt);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** On tmux's command line an argument that ends in `;` would end the command. */
const escapeEnd = (argument: string): string => (argument.endsWith(';') ? `${argument.slice(0, -1)}\\;` : argument);

const SERVER_LOST = /^(lost server|server exited)/m;

function answerOf(done: Awaited<ReturnType<typeof runTool>>): TmuxAnswer {
  if (done.exitCode === 0) return { kind: 'ok', lines: outputLines(done.stdout) };
  const message = done.stderr.trim();
  if (done.exitCode === null)
    return {
      kind: 'unknown',
      why: message.includes('ENOENT') ? 'tmux is not installed' : `tmux gave no answer ${message}`.trim(),
    };
  if (/^no server running on |^error connecting to .*(No such file|Connection refused)/m.test(message))
    return { kind: 'absent' };
  if (/^error connecting/m.test(message) || SERVER_LOST.test(message)) return { kind: 'unknown', why: message };
  return { kind: 'error', message };
}

function outputLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
