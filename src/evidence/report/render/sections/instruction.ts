import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import { type Section, file, note, paragraph } from '../document.ts';
import type { ReportView } from '../view.ts';

export function instructionSection(view: ReportView, bounds: Bounds): Section {
  const id = 'asked';
  const title = 'What was asked';
  if (view.instruction.trim() === '') {
    return {
      id,
      title,
      blocks: [paragraph('No instruction was recorded: the run ended before there was a contract.')],
    };
  }
  const { text, cut } = boundedLines(view.instruction, bounds.instructionLines, bounds.lineLength);
  return {
    id,
    title,
    blocks: [
      { kind: 'output', text, summary: 'Instruction to the engine', collapsed: false },
      ...(!cut ? [] : [note('plain', 'The whole text is in ', file('inputs/contract.json'), '.')]),
    ],
  };
}
