import { type Markup, markup } from '../../report/render/html/markup.ts';
import type { ComparedRun } from '../schema.ts';
import type { OpenedComparison } from '../opened.ts';

/** A suite an engine, a case a run. What was not judged is an error and not a failure; what has not run is skipped. */
export function renderComparisonJunit({ plan, result, open }: OpenedComparison): string {
  const suites = plan.engines.map(({ label }) => {
    const runs = result.runs.filter(({ engine }) => engine === label);
    const waiting = open.filter(({ engine }) => engine.label === label);
    const cases = [
      ...runs.map((run) => caseOf(run.task, run.repeat, run.engine_ms, verdictOf(run))),
      ...waiting.map(({ task, repeat }) => caseOf(task.name, repeat, null, markup`<skipped message="not run"/>`)),
    ];
    const count = (outcome: ComparedRun['outcome']): number => runs.filter((run) => run.outcome === outcome).length;
    return { label, cases, failures: count('fail'), errors: count('not_judged'), skipped: waiting.length };
  });
  const sum = (of: (suite: (typeof suites)[number]) => number): number =>
    suites.reduce((all, suite) => all + of(suite), 0);
  const total = markup`tests="${sum(({ cases }) => cases.length)}" failures="${sum(({ failures }) => failures)}" errors="${sum(({ errors }) => errors)}" skipped="${sum(({ skipped }) => skipped)}"`;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${plan.comparison_id}" ${total}>
${suites.map(
  ({
    label,
    cases,
    failures,
    errors,
    skipped,
  }) => markup`<testsuite name="${label}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" timestamp="${plan.declared_at}">
${cases}</testsuite>
`,
)}</testsuites>
`.text;
}

function caseOf(task: string, repeat: number, ms: number | null, verdict: Markup): Markup {
  const time = ms === null ? '' : markup` time="${(ms / 1000).toFixed(3)}"`;
  return markup`<testcase classname="${task}" name="run ${repeat}"${time}>${verdict}</testcase>\n`;
}

function verdictOf({ outcome, reason, run_id: runId }: ComparedRun): Markup {
  const text = reason?.text ?? '';
  switch (outcome) {
    case 'pass':
      return markup``;
    case 'fail':
      return markup`<failure message="${text}" type="${reason?.code ?? ''}">${runId}</failure>`;
    case 'not_judged':
      return markup`<error message="not judged: ${text}" type="${reason?.class ?? ''}">${runId}</error>`;
    default:
      outcome satisfies never;
      return markup``;
  }
}
