import { type Markup, markup } from '../../../report/render/html/markup.ts';
import type { EngineSummary } from '../../schema.ts';
import { costText, intervalText, judgedOf, percent } from '../words.ts';
import { linearScale, spreadLabels } from './scale.ts';

const WIDTH = 680;
const HEIGHT = 300;
const LEFT = 52;
const RIGHT = 30;
const TOP = 14;
const BOTTOM = 44;

interface Point {
  readonly engine: EngineSummary;
  readonly cost: number;
  readonly rate: number;
}

/** Cost of a judged run against the pass rate, with the interval of the rate. */
export function costPlot(engines: readonly EngineSummary[]): Markup {
  const points = engines.flatMap((engine): Point[] => {
    const { median: cost } = engine.cost_usd;
    return cost === null || engine.pass_rate === null ? [] : [{ engine, cost, rate: engine.pass_rate }];
  });
  const absent = engines.filter((engine) => !points.some((point) => point.engine === engine)).map(absence);
  const note = absent.length === 0 ? '' : markup`<p class="note plain">Not shown: ${absent.join('; ')}.</p>\n`;
  return points.length === 0 ? markup`<p>No cost is known.</p>\n${note}` : markup`${plot(points)}${note}`;
}

function absence(engine: EngineSummary): string {
  if (judgedOf(engine) === 0) return `${engine.engine} (no judged run)`;
  return engine.asks_model ? `${engine.engine} (cost unknown)` : `${engine.engine} (asks no model)`;
}

function plot(points: readonly Point[]): Markup {
  const width = WIDTH - LEFT - RIGHT;
  const height = HEIGHT - TOP - BOTTOM;
  const x = linearScale(
    points.map(({ cost }) => cost),
    width,
  );
  const y = (rate: number): number => TOP + (1 - rate) * height;
  const labels = spreadLabels(
    points.map(({ rate }) => y(rate)),
    16,
  );
  const rates = [0, 0.25, 0.5, 0.75, 1];
  return markup`<div class="scroll"><svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Cost of a run against the pass rate">
${rates.map((rate) => markup`<path class="grid" d="M${LEFT} ${y(rate)}h${width}"/><text x="${LEFT - 8}" y="${y(rate) + 4}" text-anchor="end">${percent(rate)}</text>\n`)}
${x.ticks.map((tick) => markup`<text x="${LEFT + x.at(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${costText(tick)}</text>\n`)}
<text class="axis" x="${LEFT + width / 2}" y="${HEIGHT - 6}" text-anchor="middle">cost of a judged run (median)</text>
${points.map((point, index) => pointHtml(point, LEFT + x.at(point.cost), y, labels[index] ?? 0, x.at(point.cost) > width / 2))}
</svg></div>
`;
}

function pointHtml(
  { engine, cost, rate }: Point,
  x: number,
  y: (rate: number) => number,
  labelY: number,
  isRight: boolean,
): Markup {
  const { low, high } = engine.interval;
  const title = `${engine.engine}: ${percent(rate)} (${intervalText(engine)}) at ${costText(cost)}`;
  return markup`<g><title>${title}</title><path class="whisker" d="M${x} ${y(low)}V${y(high)}m-4 0h8M${x - 4} ${y(low)}h8"/><circle cx="${x}" cy="${y(rate)}" r="5.5"/><text x="${isRight ? x - 11 : x + 11}" y="${labelY + 4}" text-anchor="${isRight ? 'end' : 'start'}">${engine.engine}</text></g>
`;
}
