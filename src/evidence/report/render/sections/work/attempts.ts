import { file, note, paragraph, quote, type Section, type StateRow } from '../../document.ts';
import type { Bounds } from '../../text/bounds.ts';
import { boundedLines } from '../../text/bounds.ts';
import type { ReportView } from '../../view.ts';

/** The attempts of `run --retry` before this one, and what the engine was told of the last of them. */
export function attemptSections({ report, attempt }: ReportView, bounds: Bounds): readonly Section[] {
  if (attempt === undefined) return [];
  const rows = attempt.earlier.map(({ run_id: runId, status, failure_reason: why }, index): StateRow => {
    const tone = status === 'fail' ? 'bad' : 'warn';
    return {
      state: `${index + 1}: ${status}`,
      tone,
      text: [quote(runId), ...(why === null ? [] : [': ', quote(why)])],
    };
  });
  const { text, cut } = boundedLines(attempt.feedback, bounds.instructionLines, bounds.lineLength);
  return [
    {
      id: 'attempts',
      title: 'Earlier attempts',
      blocks: [
        paragraph(
          `This is attempt ${report.attempt ?? rows.length + 1}. Each attempt is a bundle of its own in the same runs directory; the last one decides.`,
        ),
        { kind: 'states', rows },
        { kind: 'output', text, summary: 'What the engine was told of the previous attempt', collapsed: false },
        ...(cut ? [note('plain', 'The whole text is in ', file('inputs/contract.json'), '.')] : []),
      ],
    },
  ];
}
