import { safeLine } from '../../evidence/report/render/terminal.ts';

const EVERY_MS = 2000;
const CLEAR = '\u001b[H\u001b[2J';

/** Prints lines once, or on a terminal again every two seconds until Ctrl-C. */
export async function showScreen(live: boolean, lines: () => Promise<readonly string[]>): Promise<void> {
  const repeats = live && process.stdout.isTTY;
  const ending = new AbortController();
  if (repeats) process.once('SIGINT', () => ending.abort());
  for (;;) {
    const text = (await lines()).map((line) => `${safeLine(line)}\n`).join('');
    process.stdout.write(`${repeats ? CLEAR : ''}${text}`);
    if (!repeats || (await endedWithin(EVERY_MS, ending.signal))) return;
  }
}

function endedWithin(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve(true);
      },
      { once: true },
    );
  });
}
