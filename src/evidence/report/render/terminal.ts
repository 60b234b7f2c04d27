import type { Status } from '../../schema/parts.ts';
import type { Report } from '../../schema/report.ts';
import type { ObeyedSetting } from '../../schema/repository-settings.ts';
import type { Inline } from './document.ts';
import { cutText } from './text/bounds.ts';
import { safeLine } from './text/safe-text.ts';
import { beforeAfterText, testsSummary } from './test-rows.ts';
import { failingTests } from './failing-tests.ts';
import { proofText } from './proof-text.ts';
import { tellingOutput } from './telling-output.ts';
import { type VerdictFacts, type VerdictView, verdictOf, runCommandLine } from './verdict.ts';
import { isGated, modelName, programText, runtimeName, usageText } from './text/who.ts';
import { ADMISSION_WORD, endingText } from './text/words.ts';

export { safeLine } from './text/safe-text.ts';

export interface TerminalStyle {
  readonly color: boolean;
  readonly columns: number;
}

const SGR: Readonly<Record<Status, string>> = { pass: '1;32', fail: '1;31', blocked: '1;33' };
const MAX_FILES = 5;
const MAX_BLOCKERS = 20;
const MAX_TESTS = 10;
const MAX_OUTPUT_LINES = 12;
const MAX_LENGTH = 300;

/**
 * The result of a run in a few aligned lines. Sentences wrap; paths and commands stay whole, so that they can be
 * copied.
 */
export function verdictLines(facts: VerdictFacts, style: TerminalStyle): string[] {
  const { report } = facts;
  const verdict = verdictOf(facts);
  const word = verdict.word.toUpperCase();
  const indent = ' '.repeat(word.length + 2);
  const took = verdict.took === null ? '' : ` in ${verdict.took}`;
  const title = `${paint(word, SGR[report.status], style)}  ${shown(verdict.task)}${authorText(report)}${itemText(report)}${took}`;
  const wrapped = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => wrap(text, Math.max(30, style.columns - indent.length))).map((line) => indent + line);
  const isProven = report.proof !== undefined && report.status === 'pass';
  return [
    title,
    ...(isUnconfined(report) ? wrapped([UNCONFINED]).map((line) => paint(line, '1;31', style)) : []),
    ...wrapped([
      ...reasonLines(verdict, report),
      ...questionLines(report),
      ...(isProven ? [shown(proofText(report))] : []),
    ]),
    ...failingLines(facts).map((line) => (line === '' ? '' : indent + line)),
    ...wrapped(findingLines(report)),
    ...wrapped([
      testsSummary(report.tests, report.base_record !== undefined),
      ...(isProven ? [] : beforeLines(report)),
      ...voteLines(report),
      changeLine(report),
      ...(report.frozen_tree?.examined === 'partial' ? [shown(report.frozen_tree.detail ?? '')] : []),
      ...whoLines(report),
      ...settingsLines(report),
    ]),
    '',
    ...labelled([
      ['report', `${safeLine(report.run_dir)}/report.html`],
      ['run', safeLine(report.run_dir)],
      ['check it', safeLine(runCommandLine('verify', report))],
      ...(report.approvals.some(({ decision }) => decision === 'open')
        ? [['say yes', safeLine(`${runCommandLine('approve', report)} --all`)] as const]
        : []),
      ...(isProven && report.landing === undefined
        ? [['use it', safeLine(runCommandLine('apply', report))] as const]
        : []),
    ]).map(([label, value]) => `${indent}${paint(label, '2', style)}${value}`),
  ];
}

function authorText({ backend, judged_commit: commit, parent, landing, attempt }: Report): string {
  if (commit !== undefined) return `, commit ${shown(commit.slice(0, 12))}`;
  if (landing !== undefined) return ` by ${shown(backend)}, merged with ${shown(landing.onto)}`;
  const again = parent === undefined ? '' : ', judged again';
  return ` by ${shown(backend)}${again}${attempt === undefined ? '' : `, attempt ${attempt}`}`;
}

const itemText = ({ work_item: item }: Report): string => (item === undefined ? '' : `, for ${shown(item)}`);

/** Questions that wait for a person. */
function questionLines({ approvals }: Report): readonly string[] {
  return approvals.filter(({ decision }) => decision === 'open').map(({ id }) => `asks: ${shown(id)}`);
}

const UNCONFINED =
  'UNCONFINED: engine and tests ran without a sandbox, with the rights of the caller; this is no evidence for a stage';

const isUnconfined = ({ confinement }: Report): boolean => confinement?.kind === 'none';

/** The tests that speak against the run, and the last lines of the program that explains why. */
function failingLines(facts: VerdictFacts): readonly string[] {
  const failing = failingTests(facts.report);
  const output = tellingOutput(facts, MAX_OUTPUT_LINES);
  if (failing.length === 0 && output === null) return [];
  const width = Math.max(...failing.slice(0, MAX_TESTS).map(({ what }) => what.length));
  const left = failing.length - MAX_TESTS;
  return [
    ...(failing.length === 0 ? [] : ['']),
    ...failing.slice(0, MAX_TESTS).map(({ what, id }) => `${what.padEnd(width)}  ${shown(id)}`),
    ...(left > 0 ? [`and ${left} more, all in report.json`] : []),
    ...(output === null
      ? []
      : ['', `last lines that the ${output.by} printed:`, ...output.lines.map((line) => `  ${shown(line)}`.trimEnd())]),
    '',
  ];
}

/** What a reviewer found wrong. */
function findingLines({ review }: Report): readonly string[] {
  if (review === null || review.verdict === 'accepted') return [];
  const findings = (review.findings ?? []).map(
    ({ file, line, message }) => `${shown(file)}${line === null ? '' : `:${line}`}: ${shown(message)}`,
  );
  const left = findings.length - MAX_TESTS;
  const comment = review.comment === '' ? [] : [`reviewer (${shown(review.by)}): ${shown(review.comment)}`];
  return [
    ...comment,
    ...findings.slice(0, MAX_TESTS),
    ...(left > 0 ? [`and ${left} more findings, all in report.json`] : []),
  ];
}

/** The deciding reason, why files were refused, what the check found or what the reason means; then what to do next. */
function reasonLines({ reason, further }: VerdictView, { deciding }: Report): readonly string[] {
  if (reason === null) return [];
  const { gate, found, meaning, next } = reason;
  const why = gate === null ? meaning : `check "${shown(gate)}": ${shown(found ?? meaning)}`;
  const others = further.slice(0, MAX_BLOCKERS).map((blocker) => `also: ${shown(blocker.reason)}`);
  const left = further.length - others.length;
  const rest = left === 0 ? [] : [`and ${left} more, all in report.json`];
  const refused = (deciding?.refused ?? []).slice(0, MAX_FILES);
  const lines = refused.map(({ path, why: what }) => `${shown(path)}: ${shown(what)}`);
  return [shown(reason.reason), ...lines, why, `next: ${next.map(textOf).join('')}`, ...others, ...rest];
}

/** The effect of the change on tests that existed before it. */
function beforeLines({ baseline }: Report): readonly string[] {
  const tests = baseline?.comparison.tests ?? null;
  return tests === null ? [] : [`against the tests before: ${beforeAfterText(tests)}`];
}

/** Changed files that were judged in the base's version. */
function voteLines({ deciding }: Report): readonly string[] {
  if (deciding === undefined || deciding === null) return [];
  const silent = deciding.no_vote.map(({ path }) => path);
  const within = deciding.own_tests ?? [];
  return [
    ...(silent.length === 0 ? [] : [`had no vote: ${listed(silent)}`]),
    ...(within.length === 0 ? [] : [`had no vote: changed tests inside of ${listed(within)}`]),
  ];
}

function changeLine({ changed_files: files, frozen_tree: tree }: Report): string {
  if (tree?.examined === 'no') return `changes not examined: ${shown(tree.detail ?? '')}`;
  if (files.length === 0) return 'no file changed';
  return `changed: ${listed(files)}`;
}

/** The engine and model, for an engine that needs admission. */
function whoLines(report: Report): readonly string[] {
  if (!isGated(report)) return [];
  const { backend, stage, executable, model } = report;
  const who = [
    `${shown(backend)} ${endingText(report.backend_completion, report.backend_exit_code)}`,
    ...(stage === null ? [] : [`stage ${stage}`]),
    executable === null
      ? 'no program'
      : `program ${shown(programText(executable))} ${ADMISSION_WORD[executable.admission_status]}`,
  ];
  return [who.join(', '), ...(model === null ? [] : [modelLine(model, report.usage)])];
}

/** Settings of the repository that were kept from the engine. */
function settingsLines({ backend, repository_settings: found }: Report): readonly string[] {
  if (found === undefined) return [];
  const paths = (wanted: (state: ObeyedSetting['state']) => boolean): string =>
    listed(found.settings.filter(({ state }) => wanted(state)).map(({ path }) => path));
  const hidden = paths((state) => state !== 'shown');
  const changed = paths((state) => state === 'changed');
  const servers = listed(found.unreachable_mcp_servers.map(({ name }) => name));
  return [
    ...(hidden === '' ? [] : [`settings of the repository hidden from ${shown(backend)}: ${hidden}`]),
    ...(changed === '' ? [] : [`changed since repo_settings admitted it: ${changed}`]),
    ...(servers === '' ? [] : [`MCP servers out of reach: ${servers}`]),
  ];
}

function listed(names: readonly string[]): string {
  const left = names.length - MAX_FILES;
  return `${names.slice(0, MAX_FILES).map(shown).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function modelLine(model: NonNullable<Report['model']>, usage: Report['usage']): string {
  const runtime = runtimeName(model);
  const used = usageText(usage);
  return [
    `model ${shown(modelName(model))} ${ADMISSION_WORD[model.admission_status]}`,
    ...(runtime === null ? [] : [`known to the engine as ${shown(runtime)}`]),
    ...(used === null ? [] : [used]),
  ].join(', ');
}

function textOf(words: Inline): string {
  if (typeof words === 'string') return words;
  return shown('quote' in words ? words.quote : words.file);
}

function shown(text: string): string {
  return safeLine(cutText(text, MAX_LENGTH));
}

function labelled(rows: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => [`${label}:`.padEnd(width + 2), value]);
}

function paint(text: string, sgr: string, { color }: TerminalStyle): string {
  return color ? `\u001b[${sgr}m${text}\u001b[0m` : text;
}

/** Wraps at spaces; a word longer than the line gets its own. Continuation lines are indented by two. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
