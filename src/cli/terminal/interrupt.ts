import { EXIT } from '../../kernel/exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof SIGNALS)[number];

/** A closed terminal, npm and shells deliver one wish to stop as two signals, milliseconds apart. */
const SAME_WISH_MS = 500;

/**
 * Whether a further signal means "now": a second Ctrl-C does. Supervisors repeat SIGTERM and SIGHUP while they wait, and have SIGKILL
 * for when they lose patience.
 */
export function insists(signal: StopSignal, sinceFirstMs: number): boolean {
  return signal === 'SIGINT' && sinceFirstMs >= SAME_WISH_MS;
}

const controller = new AbortController();
let listening = false;
let firstAt: number | null = null;
let lastWords = '';

/**
 * Given on the first SIGINT, SIGTERM or SIGHUP: what is under way ends and keeps its evidence. A second Ctrl-C does not wait for that,
 * and prints `unfinished`. One signal for the whole command, however often it is asked for.
 */
export function interruptible(unfinished = ''): AbortSignal {
  lastWords = unfinished;
  if (!listening) for (const signal of SIGNALS) process.on(signal, () => take(signal));
  listening = true;
  return controller.signal;
}

function take(signal: StopSignal): void {
  const now = performance.now();
  if (firstAt !== null && insists(signal, now - firstAt)) {
    if (lastWords !== '') process.stderr.write(`${lastWords}\n`);
    process.exit(EXIT.blocked);
  }
  firstAt ??= now;
  controller.abort();
}
