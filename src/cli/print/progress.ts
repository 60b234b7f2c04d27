import { safeLine } from '../../evidence/report/render/terminal.ts';
import { groupDigits, plural } from '../../evidence/report/render/text/words.ts';
import type { EngineEvent } from '../../engines/definition.ts';
import type { StepTiming } from '../../evidence/log/run-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type AskedQuestion, NO_OBSERVER, type RunObserver, type ModelSpending } from '../../run/request.ts';
import { secondsBetween, StepLines } from './step-lines.ts';

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
  return kind === 'live' ? liveLine(stream, first) : stepLines(stream, kind === 'follow');
}

function stepLines(stream: Screen, withEvents: boolean): Progress {
  const steps = new StepLines(stream, systemClock);
  const engineEvent = (event: EngineEvent): void => {
    steps.showEnded();
    writeEvent(stream, event);
  };
  return {
    ...silent,
    ...(withEvents ? { engineEvent } : {}),
    onStarted: ({ runId }, started) => steps.begin(runId, started),
    note: (text) => {
      steps.showAll();
      stream.write(`${text}\n`);
    },
    question: (asked) => {
      steps.showEnded();
      writeQuestion(stream, asked);
    },
    end: () => steps.end(),
  };
}

function liveLine(stream: Screen, first: string): Progress {
  const started = systemClock.mono();
  let steps: readonly StepTiming[] = [];
  let last = { of: 0, text: '' };
  let spent = '';
  let asking = false;
  const draw = (): void => {
    if (asking) return;
    const step = steps.at(-1) ?? { name: first, started };
    const said = [spent, last.of === steps.length ? last.text : ''].filter((text) => text !== '');
    const now = systemClock.mono();
    const whole = step.started === started ? '' : ` of ${secondsBetween(started, now).trim()}`;
    const line = `${secondsBetween(step.started, now)}${whole}  ${[step.name, ...said].join(' · ')}`;
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  const say = (text: string): void => {
    last = { of: steps.length, text: text.slice(0, 200) };
  };
  return {
    onStarted: (_bundle, begun) => {
      steps = begun;
      draw();
    },
    note: (text) => {
      stream.write(`\r\u001b[2K${text}\n`);
      draw();
    },
    activity: (text) => say(safeLine(text)),
    engineEvent: (event) => {
      const [line] = eventLines(event);
      if (line !== undefined) say(line);
    },
    spent: (now) => {
      spent = spentText(now);
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

function spentText({ requests, tokens, costUsd }: ModelSpending): string {
  const cost = costUsd === null ? [] : [`${costUsd.toFixed(4)} USD`];
  return [...cost, plural(requests, 'request'), `${groupDigits(tokens)} tokens`].join(', ');
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
