import type { Report } from '../../../schema/report.ts';
import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import { type Block, type Section, type StateRow, file, note, paragraph, quote } from '../document.ts';
import { momentText } from '../text/words.ts';

export function peopleSection(report: Report, bounds: Bounds): Section {
  return {
    id: 'people',
    title: 'Approvals and review',
    blocks: [...approvalBlocks(report), ...reviewBlocks(report, bounds)],
  };
}

function approvalBlocks({ approvals }: Report): readonly Block[] {
  if (approvals.length === 0) return [paragraph('No approval was asked for.')];
  return [
    {
      kind: 'states',
      rows: approvals.map(approvalRow),
    },
  ];
}

function approvalRow({ decision, action, by, how, at }: Report['approvals'][number]): StateRow {
  if (decision === 'open')
    return { state: decision, tone: 'warn', text: [quote(action), ': waits for ', quote('seatrial approve'), '.'] };
  return {
    state: decision,
    tone: decision === 'granted' ? 'good' : 'bad',
    text: [quote(action), ' by ', quote(by), ' (', quote(how), `) at ${momentText(at)}`],
  };
}

function reviewBlocks({ review }: Report, bounds: Bounds): readonly Block[] {
  if (review === null) return [paragraph('No review took place.')];
  const tone = review.verdict === 'accepted' ? 'good' : review.verdict === 'rejected' ? 'bad' : 'warn';
  const verdict = note(tone, `Review ${review.verdict} by `, quote(review.by), '.');
  if (review.comment === '') return [verdict];
  const { text, cut } = boundedLines(review.comment, bounds.instructionLines, bounds.lineLength);
  return [
    verdict,
    { kind: 'output', text, summary: "The reviewer's words", collapsed: false },
    ...(!cut ? [] : [note('plain', 'The whole text is in ', file('report.json'), '.')]),
  ];
}
