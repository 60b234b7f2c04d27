import { quotedHtml } from '../../../report/render/html/inline.ts';
import { type Markup, markup } from '../../../report/render/html/markup.ts';
import type { ComparedRun } from '../../schema.ts';
import type { OpenedComparison } from '../../opened.ts';
import { CLASS_WORD, costText, OUTCOME_WORD, timeText, tokensText } from '../words.ts';

const MAX_REASON = 300;
const TONE = { pass: 'good', fail: 'bad', not_judged: 'warn' } as const;

/** The place on the page with the runs of a cell. */
export const cellAnchor = (task: number, engine: number): string => `t${task + 1}-e${engine + 1}`;

/** Every run by task and engine, each with a link to its report. */
export function runsHtml({ plan, result, open }: OpenedComparison): readonly Markup[] {
  return plan.tasks.map(({ name }, task) => {
    const engines = plan.engines.map(({ label }, engine) => {
      const runs = result.runs.filter((run) => run.task === name && run.engine === label);
      const missing = open.filter((slot) => slot.task.name === name && slot.engine.label === label).length;
      const left = missing === 0 ? '' : markup`<li class="left">not run: ${missing}</li>`;
      return markup`<div class="cell" id="${cellAnchor(task, engine)}"><h4>${label}</h4><ul class="states">
${runs.map(runHtml)}${left}</ul></div>
`;
    });
    return markup`<h3>${name}</h3>\n${engines}`;
  });
}

function runHtml(run: ComparedRun): Markup {
  const { outcome, reason, run_id: id, repeat, engine_ms: ms, tokens, cost_usd: cost, interrupted } = run;
  const spent = [
    ...(ms === null ? [] : [timeText(ms)]),
    ...(tokens === null ? [] : [`${tokensText(tokens)} tokens`]),
    ...(cost === null ? [] : [costText(cost)]),
    ...(interrupted.length === 0 ? [] : [`repeated after ${interrupted.length} interrupted`]),
  ].join(' · ');
  const cause =
    reason === null
      ? ''
      : markup`<br>${outcome === 'not_judged' ? `${CLASS_WORD[reason.class]}: ` : ''}${quotedHtml(reason.text, MAX_REASON)}`;
  return markup`<li class="${TONE[outcome]}"><b>${OUTCOME_WORD[outcome]}</b> <span><a href="runs/${encodeURIComponent(id)}/report.html">run ${repeat}</a> <small>${spent}</small>${cause}</span></li>
`;
}
