import type { Bounds } from '../text/bounds.ts';
import { cutText } from '../text/bounds.ts';
import type { DiffLine, FileDiff, Hunk } from './parse.ts';

/** Keeps the start of every file while space remains; omitted lines are counted per file. */
export function boundDiff(files: readonly FileDiff[], bounds: Bounds): readonly FileDiff[] {
  let room = bounds.diffLines;
  return files.slice(0, bounds.listItems).map((file) => {
    const bounded = boundFile(file, Math.min(room, bounds.diffLinesPerFile), bounds.lineLength);
    room -= lineCount(bounded.hunks);
    return bounded;
  });
}

export function lineCount(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
}

function boundFile(file: FileDiff, limit: number, lineLength: number): FileDiff {
  const hunks: Hunk[] = [];
  let room = limit;
  for (const hunk of file.hunks) {
    if (room <= 0) break;
    const lines = hunk.lines
      .slice(0, room)
      .map((line): DiffLine => ({ ...line, text: cutText(line.text, lineLength) }));
    room -= lines.length;
    hunks.push({ header: cutText(hunk.header, lineLength), lines });
  }
  return { ...file, hunks, leftOut: lineCount(file.hunks) - lineCount(hunks) };
}
