import { expect, test } from 'vitest';
import { ENGINES } from './list.ts';
import { ADMISSION_REASONS } from '../evidence/reasons/admission.ts';
import { CHANGE_REASONS } from '../evidence/reasons/change.ts';
import { HARNESS_REASONS } from '../evidence/reasons/harness.ts';
import { JUDGE_REASONS } from '../evidence/reasons/judge.ts';
import { LANDING_REASONS } from '../evidence/reasons/landing.ts';
import { MODEL_REASONS } from '../evidence/reasons/model.ts';
import { PARAMETER, type ReasonCatalogue, type ReasonEntry } from '../evidence/reasons/reason.ts';
import { TREE_REASONS } from '../evidence/reasons/tree.ts';
import { WORK_REASONS } from '../evidence/reasons/work.ts';

const INTRODUCTION = `# Reasons

Every run that does not pass has a reason. \`report.json\` has it as text (\`failure_reason\`, and all of them in \`blockers\`) and as codes
(\`blocker_codes\`, in the same order). Scripts should read the codes. \`fail\`: the run went ahead and proved nothing (exit 1). \`blocked\`: no verdict
was possible (exit 2). \`lost\`: evidence could not be kept (exit 3).

This page is generated: \`npx vitest run src/engines/reasons-page.test.ts -u\`.
`;

const GROUPS: readonly (readonly [title: string, reasons: ReasonCatalogue])[] = [
  ['Checks before the engine starts', ADMISSION_REASONS],
  ['The model', MODEL_REASONS],
  ['The engine and its work', WORK_REASONS],
  ['Entries of the tree', TREE_REASONS],
  ['The tests', JUDGE_REASONS],
  ['The change', CHANGE_REASONS],
  ['Landing', LANDING_REASONS],
  ['The harness', HARNESS_REASONS],
  ...ENGINES.filter(({ reasons }) => Object.keys(reasons).length > 0).map(
    ({ name, reasons }) => [`Of the engine ${name}`, reasons] as const,
  ),
];

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

function row([code, { text, status, meaning, next, marker }]: [string, ReasonEntry]): string {
  const shown = text.replace(PARAMETER, '<$1>');
  const file = marker === undefined ? '' : ` Details: \`backend/${marker}\`.`;
  return `| \`${code}\` | \`${cell(shown)}\` | ${status} | ${cell(meaning)}${file} | ${cell(next)} |`;
}

test('docs/reasons.md lists every reason', async () => {
  const sections = GROUPS.map(([title, reasons]) =>
    [
      `## ${title}`,
      '',
      '| code | text | status | meaning | next |',
      '|---|---|---|---|---|',
      ...Object.entries(reasons).map(row),
    ].join('\n'),
  );
  await expect(`${[INTRODUCTION, ...sections].join('\n\n').replace('.\n\n\n', '.\n\n')}\n`).toMatchFileSnapshot(
    '../../docs/reasons.md',
  );
});
