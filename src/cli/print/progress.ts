import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { RunObserver } from '../../run/request.ts';

const REDRAW_MS = 100;

/** Shows the progress of a run. `end` removes the live line. */
export interface Progress extends RunObserver {
  end(): void;
}

const silent: Progress = { onStarted: () => {}, step: () => {}, activity: () => {}, end: () => {} };

/** `live`: one line that changes, for a terminal. `plain`: a line per step. */
export function showProgress(
  kind: 'live' | 'plain' | 'none',
  stream: NodeJS.WriteStream,
  first = 'starting',
): Progress {
  if (kind === 'none') return silent;
  return kind === 'live' ? liveLine(stream, first) : plainLines(stream);
}

function plainLines(stream: NodeJS.WriteStream): Progress {
  const started = performance.now();
  return {
    ...silent,
    onStarted: ({ runId }) => void stream.write(`run ${runId}\n`),
    step: (step) => void stream.write(`${seconds(started)}  ${step}\n`),
  };
}

function liveLine(stream: NodeJS.WriteStream, first: string): Progress {
  const started = performance.now();
  let step = first;
  let last = '';
  const draw = (): void => {
    const said = last === '' ? '' : ` · ${last}`;
    const line = `${seconds(started)}  ${step}${said}`;
    stream.write(`\r\u001b[2K${line.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    onStarted: draw,
    step: (name) => {
      step = name;
      last = '';
      draw();
    },
    activity: (text) => {
      last = safeLine(text).slice(0, 200);
    },
    end: () => {
      clearInterval(timer);
      stream.write('\r\u001b[2K');
    },
  };
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`;
}
