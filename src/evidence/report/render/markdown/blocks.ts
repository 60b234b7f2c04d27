import type { Bounds } from '../text/bounds.ts';
import type { FileDiff } from '../diff/parse.ts';
import type { Block, TimelineStep } from '../document.ts';
import { safeLine } from '../text/safe-text.ts';
import { durationText, momentOfRun } from '../text/words.ts';
import { conversationMarkdown } from './conversation.ts';
import { codeSpan, fence, inlineMarkdown, plainWords } from './inline.ts';

export function blockMarkdown(block: Block, bounds: Bounds): string {
  const inline = (words: Parameters<typeof inlineMarkdown>[0]): string => inlineMarkdown(words, bounds.inlineLength);
  switch (block.kind) {
    case 'paragraph':
      return inline(block.text);
    case 'heading':
      return `### ${plainWords(block.text)}`;
    case 'facts':
      return block.rows.map((row) => `- **${plainWords(row.label)}**: ${inline(row.value)}`).join('\n');
    case 'list':
      return block.items.map((item) => `- ${inline(item)}`).join('\n');
    case 'states':
      return block.rows.map((row) => `- ${plainWords(row.state)}: ${inline(row.text)}`).join('\n');
    case 'note':
      return `> ${inline(block.text)}`;
    case 'command':
      return fence(safeLine(block.text), 'sh');
    case 'output':
      return `${plainWords(block.summary)}:\n\n${fence(block.text, 'text')}`;
    case 'timeline':
      return block.steps.map((step) => stepMarkdown(step, inline)).join('\n');
    case 'conversation':
      return conversationMarkdown(block);
    case 'diff':
      return block.files.map(fileMarkdown).join('\n\n');
    default:
      block satisfies never;
      return '';
  }
}

function stepMarkdown(step: TimelineStep, inline: (words: TimelineStep['entries'][number]['text']) => string): string {
  const entries = step.entries.map((entry) => {
    const who = entry.claim ? "engine's claim" : 'harness';
    return `  - ${momentOfRun(entry.atMs)} · ${who} · ${codeSpan(entry.type)}: ${inline(entry.text)}`;
  });
  const left = step.leftOut === 0 ? [] : [`  - ${step.leftOut} more not shown here`];
  return [`- **${plainWords(step.name)}**, ${durationText(step.toMs - step.fromMs)}`, ...entries, ...left].join('\n');
}

const SIGN = { add: '+', remove: '-', same: ' ', remark: '\\ ' } as const;

function fileMarkdown(file: FileDiff): string {
  const counts = file.binary ? 'binary' : `+${file.added} −${file.removed}`;
  const title = [codeSpan(file.path), counts, ...file.remarks.map(codeSpan)].join(' · ');
  const lines = file.hunks.flatMap((hunk) => [hunk.header, ...hunk.lines.map((line) => SIGN[line.kind] + line.text)]);
  const left = file.leftOut === 0 ? [] : [`${file.leftOut} more lines not shown here.`];
  return [title, ...(lines.length === 0 ? [] : [fence(lines.join('\n'), 'diff')]), ...left].join('\n\n');
}
