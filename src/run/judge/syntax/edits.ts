/** Replaces `text.slice(start, end)`; `start` equal to `end` inserts. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits may come in any order. Insertions at one place stay in the order given. Throws where two replacements overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const chunks: string[] = [];
  let at = 0;
  for (const edit of sorted) {
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) {
      throw new Error(`edit ${edit.start}-${edit.end} overlaps another one or lies outside of the text`);
    }
    chunks.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  chunks.push(text.slice(at));
  return chunks.join('');
}
