import type { FileDiff } from './diff/parse.ts';

/**
 * A report's content, independent of HTML or Markdown. Plain strings are Seatrial's own text; anything that an engine,
 * a test or a file name can influence is a `quote` (shown verbatim) or `output` (multi-line).
 */
export type Inline =
  | string
  | { readonly quote: string }
  /** Path of a file in the bundle. */
  | { readonly file: string };

export type Words = readonly Inline[];

export interface Fact {
  readonly label: string;
  readonly value: Words;
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** A line with a short status; the tone only repeats the status as a colour. */
export interface StateRow {
  readonly state: string;
  readonly tone: Tone;
  readonly text: Words;
}

/** Time between two recorded events; `fromMs` is the end of the preceding step. */
export interface TimelineStep {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly entries: readonly TimelineEntry[];
  /** Number of events in this step that are not in `entries`. */
  readonly leftOut: number;
}

export interface TimelineEntry {
  readonly atMs: number;
  readonly type: string;
  readonly claim: boolean;
  readonly text: Words;
}

/** The start of a text; `left` counts the characters that are not shown. */
export interface Excerpt {
  readonly text: string;
  readonly left: number;
}

export type ConversationItem =
  | { readonly kind: 'message'; readonly text: Excerpt }
  | { readonly kind: 'plan'; readonly steps: readonly string[] }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** What tells this call from others of the same tool, such as its command or file. */
      readonly about: string;
      readonly state: 'ok' | 'failed' | 'no result';
      readonly tookMs: number | null;
      readonly input: Excerpt;
      /** Null: none was reported. */
      readonly output: Excerpt | null;
      readonly edits: readonly string[];
    };

export interface ConversationTurn {
  readonly number: number;
  readonly atMs: number;
  /** Requests, tokens and costs; empty if none were counted. */
  readonly cost: string;
  readonly items: readonly ConversationItem[];
  /** Number of things said in this turn that are not in `items`. */
  readonly leftOut: number;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: Words }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly Fact[] }
  | { readonly kind: 'list'; readonly items: readonly Words[] }
  | { readonly kind: 'states'; readonly rows: readonly StateRow[] }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: Words }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'output'; readonly text: string; readonly summary: string; readonly collapsed: boolean }
  | { readonly kind: 'timeline'; readonly steps: readonly TimelineStep[]; readonly totalMs: number }
  | {
      readonly kind: 'conversation';
      readonly turns: readonly ConversationTurn[];
      /** Number of turns, also those that are not in `turns`. */
      readonly total: number;
      /** Where everything is. */
      readonly events: string;
    }
  | { readonly kind: 'diff'; readonly files: readonly FileDiff[] };

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const quote = (text: string): Inline => ({ quote: text });
export const file = (path: string): Inline => ({ file: path });
export const paragraph = (...text: Inline[]): Block => ({ kind: 'paragraph', text });
export const note = (tone: Tone, ...text: Inline[]): Block => ({ kind: 'note', tone, text });
export const fact = (label: string, ...value: Inline[]): Fact => ({ label, value });

/** A list that says how many items it omits, and where to find them. */
export function boundedList<T>(
  items: readonly T[],
  limit: number,
  render: (items: readonly T[]) => Block,
  where: Inline,
): readonly Block[] {
  if (items.length <= limit) return [render(items)];
  return [
    render(items.slice(0, limit)),
    note('plain', `${items.length - limit} more not shown here: see `, where, '.'),
  ];
}
