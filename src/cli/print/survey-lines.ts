import { reasonTexts } from '../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../evidence/schema/base-record.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { durationText, plural } from '../../evidence/report/render/text/words.ts';
import type { Survey } from '../../run/survey.ts';
import { loadHints } from './load-hints.ts';

const MAX_NAMED = 8;
const OUTPUT_LINES = 30;
const LABEL_WIDTH = 10;

type Recorded = Extract<Survey, { kind: 'recorded' }>;

/** What `init` found out about a repository, a fact a line. */
export function surveyLines({ record, provision, deciding, output }: Recorded, paths: readonly string[]): string[] {
  const unloaded = record.tests.filter(({ outcome }) => outcome === 'error').map(({ id }) => id);
  return [
    ...(provision === null
      ? []
      : labelled('setup', [
          `${provision.setup_command}${provision.cached ? ' (from the cache)' : `, ${durationText(provision.duration_ms)}`}`,
        ])),
    ...labelled('test', [record.test_command]),
    ...labelled('runner', [runnerText(record)]),
    ...labelled('tests', [testsText(record)]),
    ...labelled('failing', named(record.tests.filter(isFailing).map(({ id }) => id))),
    ...labelled('', loadHints(unloaded, output, { paths, testCommand: record.test_command }).map(safeLine)),
    ...labelled('flaky', named(record.flaky).concat(record.flaky.length === 0 ? [] : ['flaky tests have no vote'])),
    ...labelled('failed', named(record.failed_commands)),
    ...labelled('errors', errorsText(record)),
    ...labelled('decide', decideText(record, deciding)),
  ];
}

/** Why a repository's tests could not be recorded, with the end of what was printed. */
export function unusableLines({ reasons, output }: Extract<Survey, { kind: 'unusable' }>): string[] {
  const lines = output.trimEnd().split('\n');
  const shown = lines.slice(-OUTPUT_LINES).map((text) => `  ${safeLine(text)}`);
  return [...reasonTexts(reasons).map(safeLine), ...(output.trim() === '' ? [] : ['', ...shown])];
}

const isFailing = ({ outcome }: BaseRecord['tests'][number]): boolean => outcome === 'failed' || outcome === 'error';

function runnerText({ runner, tests, found_by: foundBy }: BaseRecord): string {
  if (tests.length === 0) return 'none known: the command reports only an exit code';
  const how = {
    strace: 'strace showed which files the tests use',
    access_times: 'access times showed which files the tests use; install strace to see failed lookups too',
    names: 'which files the tests use is guessed from their names; install strace to see it',
  } as const;
  return `${runner}; ${how[foundBy]}`;
}

function testsText({ tests, collected, exit_code: exitCode, duration_ms: ms }: BaseRecord): string {
  if (tests.length === 0) return `exit code ${exitCode ?? 'none'}, ${durationText(ms)}`;
  const count = (wanted: (test: BaseRecord['tests'][number]) => boolean): number => tests.filter(wanted).length;
  const counts = [
    [count(({ outcome }) => outcome === 'passed'), 'passed'],
    [count(isFailing), 'failed'],
    [count(({ outcome }) => outcome === 'skipped'), 'skipped'],
  ] as const;
  const outcomes = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const files = collected.length === 0 ? '' : ` in ${plural(collected.length, 'file')}`;
  return `${tests.length} found${files}: ${outcomes.join(', ')}, ${durationText(ms)}`;
}

/** What makes the runner fail beside its tests. */
function errorsText({ tests, exit_code: exitCode, runner_errors: errors = [] }: BaseRecord): string[] {
  if (tests.length === 0 || exitCode === 0) return [];
  if (errors.length === 0 && tests.some(isFailing)) return [];
  return [
    ...named(errors),
    `the runner exits with code ${exitCode ?? 'none'} beside its tests; a change may not add to that`,
  ];
}

function decideText({ collected }: BaseRecord, { support, inline }: Recorded['deciding']): string[] {
  const files = collected.length - inline.length;
  const whole = [
    ...(files === 0 ? [] : [plural(files, 'test file')]),
    ...(support.length === 0 ? [] : [`${plural(support.length, 'other file')} that they use:`]),
  ].join(', and ');
  return [
    ...(inline.length === 0
      ? []
      : [`the tests inside of ${plural(inline.length, 'source file')}; changes to the code around them count`]),
    ...(whole === ''
      ? []
      : [whole, ...named(support), 'a change to them is refused, or does not count when it is judged: docs/judge.md']),
  ];
}

function named(names: readonly string[]): string[] {
  const left = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED).map(safeLine), ...(left > 0 ? [`and ${left} more`] : [])];
}

function labelled(label: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `${(index === 0 ? label : '').padEnd(LABEL_WIDTH)} ${text}`);
}
