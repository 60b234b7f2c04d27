import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { EngineEvent } from '../../engines/definition.ts';
import { type AskedQuestion, NO_OBSERVER, type RunObserver } from '../../run/request.ts';

const REDRAW_MS = 100;

/** Shows the progress of a run. `end` removes the live line. */
export interface Progress extends RunObserver {
  end(): void;
}

/** What is needed of standard error. */
type Screen = { readonly write: (text: string) => unknown; readonly columns: number };

const silent: Progress = { ...NO_OBSERVER, end: () => {} };

/** `live`: one line that changes, for a terminal. `plain`: a line per step, with its duration. `follow`: also all that the engine says. */
export function showProgress(kind: 'live' | 'plain' | 'follow' | 'none', stream: Screen, first = 'starting'): Progress {
  if (kind === 'none') return { ...silent, question: (asked) => writeQuestion(stream, asked) };
  if (kind === 'follow') return { ...plainLines(stream), engineEvent: (event) => writeEvent(stream, event) };
  return kind === 'live' ? liveLine(stream, first) : plainLines(stream);
}

/** Each step with the time it took, once it has ended. */
function plainLines(stream: Screen): Progress {
  let current: { readonly name: string; readonly started: number } | null = null;
  const endStep = (): void => {
    if (current !== null) stream.write(`${seconds(current.started)}  ${current.name}\n`);
    current = null;
  };
  return {
    ...silent,
    onStarted: ({ runId }) => void stream.write(`run ${runId}\n`),
    note: (text) => {
      endStep();
      stream.write(`${text}\n`);
    },
    step: (name) => {
      endStep();
      current = { name, started: performance.now() };
    },
    question: (asked) => writeQuestion(stream, asked),
    end: endStep,
  };
}

function liveLine(stream: Screen, first: string): Progress {
  const started = performance.now();
  let step = first;
  let since = started;
  let last = '';
  let asking = false;
  const draw = (): void => {
    if (asking) return;
    const said = last === '' ? '' : ` · ${last}`;
    const whole = since === started ? '' : ` of ${seconds(started).trim()}`;
    const line = `${seconds(since)}${whole}  ${step}${said}`;
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    onStarted: draw,
    note: (text) => {
      stream.write(`\r\u001b[2K${text}\n`);
      draw();
    },
    step: (name) => {
      step = name;
      since = performance.now();
      last = '';
      draw();
    },
    activity: (text) => {
      last = safeLine(text).slice(0, 200);
    },
    engineEvent: (event) => {
      const [line] = eventLines(event);
      if (line !== undefined) last = line.slice(0, 200);
    },
    question: (asked) => {
      // The prompt has the line to itself.
      if (asked !== null) stream.write('\r\u001b[2K');
      writeQuestion(stream, asked);
      asking = asked !== null;
    },
    end: () => {
      clearInterval(timer);
      stream.write('\r\u001b[2K');
    },
  };
}

function writeEvent(stream: Screen, event: EngineEvent): void {
  for (const line of eventLines(event)) stream.write(`           ${line}\n`);
}

function writeQuestion(stream: Screen, asked: AskedQuestion | null): void {
  if (asked === null) return;
  const { runId, id, action, answerBy } = asked;
  const until = new Date(answerBy).toLocaleTimeString('en-GB', { hour12: false });
  stream.write(`waiting until ${until} for an answer to ${id}: ${safeLine(action)}\n`);
  stream.write(`  yes: seatrial approve ${runId} ${id}\n  no:  seatrial deny ${runId} ${id}\n`);
}

const MAX_TOOL_TEXT = 160;

/** What a person follows: messages whole, tool calls and failures on one line each. */
function eventLines(event: EngineEvent): string[] {
  switch (event.type) {
    case 'engine.message':
      return event.data.text.split('\n').map(safeLine);
    case 'engine.tool':
      return [safeLine(`> ${event.data.name} ${event.data.detail}`).slice(0, MAX_TOOL_TEXT)];
    case 'engine.tool_result':
      return event.data.ok ? [] : [safeLine(`  failed: ${event.data.detail}`).slice(0, MAX_TOOL_TEXT)];
    case 'plan.updated':
      return event.data.steps.map((step) => safeLine(`- ${step}`));
    default:
      return [];
  }
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`;
}
