/** Size limits of a rendered report; the bundle's files hold everything. */
export interface Bounds {
  readonly listItems: number;
  readonly events: number;
  readonly diffLines: number;
  readonly diffLinesPerFile: number;
  readonly logLines: number;
  readonly lineLength: number;
  /** For a single name, reason or message. */
  readonly inlineLength: number;
  readonly instructionLines: number;
  /** Characters of one message, call or output of the engine. */
  readonly sayingLength: number;
  readonly sayingsPerTurn: number;
  /** Characters of the whole conversation. */
  readonly conversationLength: number;
}

export const HTML_BOUNDS: Bounds = {
  listItems: 500,
  events: 400,
  diffLines: 4000,
  diffLinesPerFile: 1500,
  logLines: 1200,
  lineLength: 1000,
  inlineLength: 600,
  instructionLines: 600,
  sayingLength: 40_000,
  sayingsPerTurn: 400,
  conversationLength: 8_000_000,
};

export const MARKDOWN_BOUNDS: Bounds = {
  listItems: 100,
  events: 120,
  diffLines: 600,
  diffLinesPerFile: 600,
  logLines: 200,
  lineLength: 400,
  inlineLength: 400,
  instructionLines: 200,
  sayingLength: 600,
  sayingsPerTurn: 20,
  conversationLength: 30_000,
};

export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/**
 * The start and a larger part of the end, where programs usually print their errors. `left` counts what was omitted.
 */
export function headAndTail<T>(
  items: readonly T[],
  limit: number,
): { head: readonly T[]; left: number; tail: readonly T[] } {
  if (items.length <= limit) return { head: items, left: 0, tail: [] };
  const headSize = Math.floor(limit / 3);
  return {
    head: items.slice(0, headSize),
    left: items.length - limit,
    tail: items.slice(items.length - (limit - headSize)),
  };
}

/** Program output, limited in lines and line length, with a line that says what was omitted. */
export function boundedLines(text: string, lines: number, lineLength: number): { text: string; cut: boolean } {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const { head, left, tail } = headAndTail(all, lines);
  const gap = left === 0 ? [] : [`⋯ ${left} lines not shown here ⋯`];
  const shown = [...head, ...gap, ...tail];
  return {
    text: shown.map((line) => cutText(line, lineLength)).join('\n'),
    cut: left > 0 || shown.some((line) => line.length > lineLength),
  };
}
