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
  return [verdict, ...findingBlocks(review), ...commentBlocks(review, bounds)];
}

type GivenReview = NonNullable<Report['review']>;

function findingBlocks({ findings = [], run_id: runId, verdict }: GivenReview): readonly Block[] {
  return [
    ...(findings.length === 0
      ? []
      : [{ kind: 'states', rows: findings.map((one) => findingRow(one, verdict)) } as const]),
    ...(runId === undefined ? [] : [paragraph('The review has a bundle of its own: ', quote(runId), '.')]),
  ];
}

function findingRow(
  { file: path, line, message }: NonNullable<GivenReview['findings']>[number],
  verdict: GivenReview['verdict'],
): StateRow {
  return {
    state: line === null ? path : `${path}:${line}`,
    tone: verdict === 'rejected' ? 'bad' : 'plain',
    text: [quote(message)],
  };
}

function commentBlocks(review: GivenReview, bounds: Bounds): readonly Block[] {
  if (review.comment === '') return [];
  const { text, cut } = boundedLines(review.comment, bounds.instructionLines, bounds.lineLength);
  return [
    { kind: 'output', text, summary: "The reviewer's words", collapsed: false },
    ...(!cut ? [] : [note('plain', 'The whole text is in ', file('report.json'), '.')]),
  ];
}
