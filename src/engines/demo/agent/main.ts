/**
 * The program of the demo engine: a terminal agent without a model. Its lines begin with `demo: `, which is what the rules in ../pane.ts read.
 * Typed lines make it misbehave: /crash, /exit <code>, /hang, /login, /permission, /limit <seconds>, /retry, /error, /flood, /work <seconds>.
 * `--pace <ms>` is the time that a job takes at least; `--at-start <line>` does a line first; `--random <seconds>` does one now and then.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { nextJob } from './roles.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    conversation: { type: 'string' },
    resume: { type: 'string' },
    pace: { type: 'string', default: '300' },
    'at-start': { type: 'string' },
    random: { type: 'string' },
  },
});

const POLL_MS = 200;
const say = (text: string): void => void process.stdout.write(`demo: ${text}\n`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What it shows instead of working, until the next line is typed or the time is over. */
let stuck: { readonly text: string; readonly until: number } | null = null as { text: string; until: number } | null;
let busyUntil = 0;

const show = (text: string, seconds = Infinity): void => {
  stuck = { text, until: Date.now() + seconds * 1000 };
  say(text);
};

const MISHAPS: Readonly<Record<string, (argument: string) => void>> = {
  '/crash': () => process.kill(process.pid, 'SIGKILL'),
  '/exit': (code) => process.exit(Number(code || '0')),
  // Not even a timer runs: the last frame stays.
  '/hang': () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  '/login': () => show('please sign in'),
  '/permission': () => show('allow this command? [y/N]'),
  '/limit': (seconds) => {
    const end = new Date(Date.now() + Number(seconds || '60') * 1000);
    show(`usage limit reached, resets at ${end.toISOString()}`);
  },
  '/retry': () => show('no answer, retrying'),
  '/error': () => show('error: the model does not answer'),
  '/flood': () => {
    for (let line = 0; line < 20_000; line += 1) say(`flood ${line}`);
    show('idle');
  },
  '/work': (seconds) => {
    stuck = null;
    busyUntil = Date.now() + Number(seconds || '5') * 1000;
  },
};

function hear(line: string): void {
  const [command = '', argument = ''] = line.trim().split(/\s+/);
  const mishap = MISHAPS[command];
  if (mishap !== undefined) mishap(argument);
  else {
    stuck = null;
    say('working: told to go on');
  }
}

createInterface({ input: process.stdin }).on('line', hear);
process.on('SIGHUP', () => process.exit(129));

if (values.random !== undefined) {
  const lines = ['/crash', '/hang', '/limit 5', '/retry', '/flood', '/exit 1'];
  setInterval(() => hear(lines[Math.floor(Math.random() * lines.length)] ?? ''), Number(values.random) * 1000);
}

say(values.resume === undefined ? 'working: read the kickoff' : 'working: went on with the conversation');
if (values['at-start'] !== undefined) hear(values['at-start']);

/** Works, or shows what it was told to show, for ever. */
async function live(): Promise<never> {
  let shown = '';
  for (;;) {
    if (Date.now() > (stuck?.until ?? Infinity)) stuck = null;
    const free = stuck === null && Date.now() > busyUntil;
    const job = free ? nextJob() : null;
    if (job !== null) {
      say('working: has a job');
      await pause(Number(values.pace));
      say(await job());
      shown = '';
    } else if (stuck === null) {
      const state = free ? 'idle' : 'working: as told';
      if (state !== shown) say(state);
      shown = state;
    } else shown = '';
    await pause(POLL_MS);
  }
}

void live();
