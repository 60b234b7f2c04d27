import { type Markup, markup } from '../../evidence/report/render/html/markup.ts';
import { STYLE } from '../../evidence/report/render/html/style.ts';
import { safeLine } from '../../evidence/report/render/text/safe-text.ts';
import { SOUNDNESS, type Soundness } from './soundness.ts';
import type { TaskFindingLine } from './many.ts';
import { setSentence, setsThatProveNothing } from './sets.ts';

/** What each class means, as a heading for its tasks. */
const MEANINGS: Readonly<Record<Soundness, string>> = {
  proven: 'the oracle passes, and doing nothing fails',
  'proves nothing': 'the tests pass without any work, or the workspace holds the solution',
  'no oracle': 'nothing shows that the task can be passed',
  'needs image': 'this machine can neither stand in for its image nor build it',
  'needs network': 'oracle or tests fetch something while they run',
  broken: 'the task cannot be read, or its oracle does not pass',
  'not judged': 'it could not be tried; --resume tries it again',
};

export function countFindings(lines: readonly TaskFindingLine[]): readonly (readonly [Soundness, number])[] {
  return SOUNDNESS.map(
    (soundness) => [soundness, lines.filter((line) => line.soundness === soundness).length] as const,
  );
}

export function findingsMarkdown(root: string, lines: readonly TaskFindingLine[]): string {
  const cell = (text: string): string => safeLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
  return [
    `# Tasks of ${cell(root)}`,
    '',
    '| result | tasks | meaning |',
    '|---|---|---|',
    ...countFindings(lines).map(([soundness, n]) => `| ${soundness} | ${n} | ${MEANINGS[soundness]} |`),
    '',
    ...setsThatProveNothing(lines).flatMap((set) => [`**${cell(setSentence(root, set))}**`, '']),
    '| task | result | tests | why |',
    '|---|---|---|---|',
    ...lines.map((line) => `| ${cell(line.task)} | ${line.soundness} | ${testsOf(line)} | ${cell(line.why)} |`),
    '',
  ].join('\n');
}

export function findingsHtml(root: string, lines: readonly TaskFindingLine[]): string {
  const row = (line: TaskFindingLine): Markup =>
    markup`<tr><td>${line.task}</td><td>${line.soundness}</td><td>${testsOf(line)}</td><td>${line.why}</td></tr>\n`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tasks of ${root}</title>
${STYLE}
</head>
<body>
<div class="page"><main>
<h1>Tasks of ${root}</h1>
<table><thead><tr><th>result</th><th>tasks</th><th>meaning</th></tr></thead><tbody>
${countFindings(lines).map(([soundness, n]) => markup`<tr><td>${soundness}</td><td>${n}</td><td>${MEANINGS[soundness]}</td></tr>\n`)}</tbody></table>
${setsThatProveNothing(lines).map((set) => markup`<p><strong>${setSentence(root, set)}</strong></p>\n`)}<h2>Every task</h2>
<table><thead><tr><th>task</th><th>result</th><th>tests</th><th>why</th></tr></thead><tbody>
${lines.map(row)}</tbody></table>
</main></div>
</body>
</html>
`.text;
}

function testsOf({ soundness, tests, isolation }: TaskFindingLine): string {
  if (soundness !== 'proven') return '';
  return tests === 0 ? 'exit code' : `${tests}, ${(isolation ?? '').replaceAll('_', ' ')}`;
}
