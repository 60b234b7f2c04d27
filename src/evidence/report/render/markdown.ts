import { MARKDOWN_BOUNDS, cutText } from './text/bounds.ts';
import { blockMarkdown } from './markdown/blocks.ts';
import { codeSpan, inlineMarkdown, plainWords } from './markdown/inline.ts';
import { sectionsOf } from './sections.ts';
import { type BlockerView, type VerdictView, verdictOf } from './verdict.ts';
import type { ReportView } from './view.ts';

/** `report.md`: all text from outside is in code spans and fences, so it cannot become markup. */
export function renderMarkdown(view: ReportView): string {
  const sections = sectionsOf(view, MARKDOWN_BOUNDS).map((section) =>
    [`## ${plainWords(section.title)}`, ...section.blocks.map((block) => blockMarkdown(block, MARKDOWN_BOUNDS))].join(
      '\n\n',
    ),
  );
  return `${[verdictMarkdown(verdictOf(view)), ...sections].join('\n\n')}\n`;
}

function verdictMarkdown(verdict: VerdictView): string {
  const further = verdict.further.slice(0, MARKDOWN_BOUNDS.listItems);
  const left = verdict.further.length - further.length;
  return [
    `# ${verdict.word}: ${short(verdict.task)}`,
    `${verdict.meaning} ${inlineMarkdown(verdict.byline, MARKDOWN_BOUNDS.inlineLength)}`,
    ...(verdict.warning === null ? [] : [`**${plainWords(verdict.warning)}**`]),
    ...(verdict.proof === null ? [] : [`**Proof**: ${short(verdict.proof)}`]),
    ...(verdict.reason === null ? [] : [`**Reason**: ${blockerMarkdown(verdict.reason)}`]),
    ...(further.length === 0 ? [] : ['Also:', further.map((blocker) => `- ${blockerMarkdown(blocker)}`).join('\n')]),
    ...(left === 0 ? [] : [`${left} more in ${codeSpan('report.json')}.`]),
  ].join('\n\n');
}

function blockerMarkdown(blocker: BlockerView): string {
  const found = blocker.found === null ? '' : ` Found: ${short(blocker.found)}.`;
  return `${short(blocker.reason)}. ${plainWords(blocker.meaning)}${found} Next: ${inlineMarkdown(blocker.next, MARKDOWN_BOUNDS.inlineLength)}`;
}

function short(text: string): string {
  return codeSpan(cutText(text, MARKDOWN_BOUNDS.inlineLength));
}
