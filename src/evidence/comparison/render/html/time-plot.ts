import { type Markup, markup } from '../../../report/render/html/markup.ts';
import { durationText } from '../../../report/render/text/words.ts';
import type { ComparedRun, ComparisonResult } from '../../schema.ts';
import { linearScale, logScale } from './scale.ts';

const WIDTH = 680;
const LEFT = 30;
const RIGHT = 36;
const TOP = 10;
const ROW = 46;
const BOTTOM = 44;
/** Above this ratio of the slowest to the fastest run a linear axis hides the fast ones. */
const LOG_FROM = 15;

/** In milliseconds. */
const ROUND_TIMES = [1, 2, 5, 10, 20, 50, 100, 200, 500].concat(
  [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18_000, 36_000, 86_400].map((seconds) => seconds * 1000),
);

const MARKS = '● pass, ○ fail, │ median';

type TimedRun = ComparedRun & { readonly engine_ms: number };

/** Time of the engine in each judged run, and their median. */
export function timePlot({ engines, runs }: ComparisonResult): Markup {
  const judged = runs.filter((run): run is TimedRun => run.outcome !== 'not_judged' && run.engine_ms !== null);
  if (judged.length === 0) return markup`<p>No run was judged.</p>\n`;
  const times = judged.map(({ engine_ms: ms }) => Math.max(1, ms));
  const width = WIDTH - LEFT - RIGHT;
  const isLog = Math.max(...times) / Math.min(...times) > LOG_FROM;
  const scale = isLog ? logScale(times, width, ROUND_TIMES) : linearScale(times, width);
  const height = TOP + engines.length * ROW;
  const x = (ms: number): number => Math.round(10 * (LEFT + scale.at(Math.max(1, ms)))) / 10;
  return markup`<div class="scroll"><svg class="plot" viewBox="0 0 ${WIDTH} ${height + BOTTOM}" role="img" aria-label="Time of each judged run by engine">
${scale.ticks.map((tick) => markup`<path class="grid" d="M${x(tick)} ${TOP}V${height}"/><text x="${x(tick)}" y="${height + 18}" text-anchor="middle">${tickText(tick)}</text>\n`)}
<text class="axis" x="${LEFT + width / 2}" y="${height + BOTTOM - 6}" text-anchor="middle">${`time of the engine${isLog ? ' (logarithmic)' : ''}: ${MARKS}`}</text>
${engines.map(({ engine, median_ms: middle }, row) => {
  const y = TOP + row * ROW + 30;
  const dots = judged.filter((run) => run.engine === engine).map((run) => dot(run, x(run.engine_ms), y));
  const mark = middle === null ? '' : markup`<path class="median" d="M${x(middle)} ${y - 11}v22"/>`;
  return markup`<text x="${LEFT}" y="${y - 16}">${engine}</text>${dots}${mark}\n`;
})}</svg></div>
`;
}

function dot({ outcome, task, repeat, engine_ms: ms }: TimedRun, x: number, y: number): Markup {
  return markup`<circle class="${outcome}" cx="${x}" cy="${y}" r="5"><title>${task}, run ${repeat}: ${outcome}, ${durationText(ms)}</title></circle>`;
}

function tickText(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1000) return `${ms} ms`;
  if (ms % 60_000 !== 0) return `${ms / 1000} s`;
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : `${ms / 60_000} min`;
}
