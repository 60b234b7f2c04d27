import { failingTests } from '../report/render/failing-tests.ts';
import { markup, type Markup } from '../report/render/html/markup.ts';
import type { Report, TestRecord } from '../schema/report.ts';
import type { ExportSource } from './source.ts';

/** The tests of a run as JUnit XML, and the verdict as one more of them: a run that proved nothing is never all green. */
export function exportJunit({ report, testOutputEnd }: ExportSource): string {
  const { tests, task } = report;
  const seen = new Set(tests.seen.map(({ id }) => id));
  const lost = failingTests(report).filter(({ what, id }) => what !== 'failed' && !seen.has(id));
  const cases = [
    ...tests.seen.map((test) => testCase(test, task)),
    ...lost.map(({ id }) => caseMarkup(id, task, markup`<error message="not reported"/>`)),
    verdictCase(report),
  ];
  const failed = tests.seen.filter(({ outcome }) => outcome === 'failed').length;
  const broken = tests.seen.filter(({ outcome }) => outcome === 'error').length;
  const skipped = tests.seen.filter(({ outcome }) => outcome === 'skipped').length;
  const failures = failed + (report.status === 'fail' ? 1 : 0);
  const errors = broken + lost.length + (report.status === 'blocked' ? 1 : 0);
  const seconds = ((tests.duration_ms ?? 0) / 1000).toFixed(3);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="seatrial" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds}">
<testsuite name="${task}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds}" timestamp="${report.run_started_at}">
<properties>
${propertiesOf(report).map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${cases}<system-out>${testOutputEnd}</system-out>
</testsuite>
</testsuites>
`.text;
}

function propertiesOf(report: Report): (readonly [string, string])[] {
  const { run_id: runId, status, backend, patch, attempt, model } = report;
  return [
    ['run_id', runId],
    ['status', status],
    ['engine', backend],
    ...(model === null ? [] : [['model', `${model.provider}/${model.name}`] as const]),
    ['isolation', report.tests.isolation],
    ['patch_sha256', patch.sha256],
    ...(attempt === undefined ? [] : [['attempt', String(attempt)] as const]),
  ];
}

function testCase({ id, outcome }: TestRecord, task: string): Markup {
  switch (outcome) {
    case 'passed':
      return caseMarkup(id, task, markup``);
    case 'failed':
      return caseMarkup(id, task, markup`<failure message="failed"/>`);
    case 'error':
      return caseMarkup(id, task, markup`<error message="error"/>`);
    case 'skipped':
      return caseMarkup(id, task, markup`<skipped/>`);
    default:
      outcome satisfies never;
      return markup``;
  }
}

function verdictCase({ status, failure_reason: why, blockers }: Report): Markup {
  const message = why ?? status;
  const all = blockers.join('\n');
  const result =
    status === 'pass'
      ? markup``
      : status === 'fail'
        ? markup`<failure message="${message}">${all}</failure>`
        : markup`<error message="${message}">${all}</error>`;
  return markup`<testcase classname="seatrial" name="verdict">${result}</testcase>\n`;
}

/** Runners put the file, package or suite first. */
function caseMarkup(id: string, task: string, result: Markup): Markup {
  const at = Math.max(id.lastIndexOf('::'), id.lastIndexOf(' > '));
  const classname = at <= 0 ? task : id.slice(0, at);
  const name = at <= 0 ? id : id.slice(at).replace(/^(?:::| > )/, '');
  return markup`<testcase classname="${classname}" name="${name}">${result}</testcase>\n`;
}
