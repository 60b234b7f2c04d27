import type { Bounds } from '../text/bounds.ts';
import { boundedLines } from '../text/bounds.ts';
import { type Block, type Section, file, note, paragraph } from '../document.ts';
import { plural } from '../text/words.ts';
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
      ...(view.engineInstructions === '' ? [] : [ownInstructions(view, bounds)]),
      ...(view.history === null
        ? []
        : [
            paragraph(`The engine saw the last ${plural(view.history, 'commit')} of the history, and no other branch.`),
          ]),
      ...(!cut ? [] : [note('plain', 'The whole text is in ', file('inputs/contract.json'), '.')]),
    ],
  };
}

/** From `[engines.<name>] instructions`; the contract has all of it. */
function ownInstructions({ engineInstructions }: ReportView, bounds: Bounds): Block {
  const { text } = boundedLines(engineInstructions, bounds.instructionLines, bounds.lineLength);
  return { kind: 'output', text, summary: 'What this engine is told in every run, by seatrial.toml', collapsed: false };
}
