import {
  addCosts,
  conversationIn,
  type EngineTurn,
  MAX_ENGINE_EVENTS,
  NO_COST,
  type Saying,
  type TurnCost,
} from '../../../conversation.ts';
import {
  type Block,
  type ConversationItem,
  type ConversationTurn,
  type Excerpt,
  file,
  type Inline,
  note,
  paragraph,
  quote,
  type Section,
} from '../../document.ts';
import { type Bounds, headAndTail } from '../../text/bounds.ts';
import { groupDigits, plural } from '../../text/words.ts';
import type { ReportView } from '../../view.ts';
import { aboutCall, argumentsText } from './call-text.ts';

const EVENTS = 'events.normalized.jsonl';

/** What the engine said and did, turn by turn. Empty: it said nothing that could be read. */
export function conversationSections({ report, events }: ReportView, bounds: Bounds): readonly Section[] {
  const all = conversationIn(events);
  if (all.length === 0) return [];
  const turns = withinLength(
    all.map((turn, index) => turnView(turn, index + 1, bounds)),
    bounds.conversationLength,
  );
  const recorded = events.filter(({ source }) => source === 'engine').length;
  const unrecorded: readonly Block[] =
    recorded < MAX_ENGINE_EVENTS
      ? []
      : [
          note(
            'warn',
            `Recorded are its first ${groupDigits(recorded)} events; the rest is in `,
            file('backend/stdout.log'),
            '.',
          ),
        ];
  return [
    {
      id: 'conversation',
      title: 'Conversation',
      blocks: [
        paragraph(
          'What ',
          quote(report.backend),
          ` said of its own work: ${summaryOf(all)}. These are claims and decide nothing; requests, tokens and costs are the gateway's. Everything it printed is in `,
          file('backend/stdout.log'),
          ...exchanges(report),
          '.',
        ),
        ...unrecorded,
        { kind: 'conversation', turns, total: all.length, events: EVENTS },
      ],
    },
  ];
}

function exchanges({ model }: ReportView['report']): readonly Inline[] {
  return model === null ? [] : [', what its model was asked and answered in ', file('backend/model/exchanges.jsonl')];
}

function summaryOf(turns: readonly EngineTurn[]): string {
  const calls = turns.flatMap(({ said }) => said.filter((one) => one.kind === 'tool'));
  const failed = calls.filter(({ result }) => result?.ok === false).length;
  return [
    plural(turns.length, 'turn'),
    `${plural(calls.length, 'tool call')}${failed === 0 ? '' : ` of which ${groupDigits(failed)} failed`}`,
    ...costParts(turns.map(({ cost }) => cost).reduce(addCosts, NO_COST)),
  ].join(', ');
}

function turnView({ atMs, said, cost }: EngineTurn, number: number, bounds: Bounds): ConversationTurn {
  const { head, left, tail } = headAndTail(said, bounds.sayingsPerTurn);
  const items = [...head, ...tail].map((one) => itemView(one, bounds.sayingLength));
  return { number, atMs, cost: costParts(cost).join(', '), items, leftOut: left };
}

function itemView(said: Saying, length: number): ConversationItem {
  switch (said.kind) {
    case 'message':
      return { kind: 'message', text: excerpt(said.text, length) };
    case 'plan':
      return { kind: 'plan', steps: said.steps };
    case 'claim':
      return {
        kind: 'message',
        text: excerpt([said.text, said.commit ?? ''].filter((text) => text !== '').join('\n'), length),
      };
    case 'stray result':
      return {
        kind: 'call',
        name: 'result without a call',
        about: '',
        state: said.ok ? 'ok' : 'failed',
        tookMs: null,
        input: { text: '', left: 0 },
        output: excerpt(said.detail, length),
        edits: [],
      };
    case 'tool':
      return {
        kind: 'call',
        name: said.name,
        about: aboutCall(said.detail),
        state: said.result === null ? 'no result' : said.result.ok ? 'ok' : 'failed',
        tookMs: said.result?.tookMs ?? null,
        input: excerpt(argumentsText(said.detail), length),
        output: said.result === null ? null : excerpt(said.result.detail, length),
        edits: said.edits,
      };
    default:
      return said satisfies never;
  }
}

function excerpt(text: string, length: number): Excerpt {
  return { text: text.slice(0, length), left: Math.max(0, text.length - length) };
}

/** The first and, in larger part, the last turns that fit. */
function withinLength(turns: readonly ConversationTurn[], length: number): readonly ConversationTurn[] {
  const sizes = turns.map(sizeOf);
  if (sizes.reduce((sum, size) => sum + size, 0) <= length) return turns;
  let room = length / 3;
  const head = sizes.findIndex((size) => (room -= size) < 0);
  room = length * (2 / 3);
  const tail = sizes.findLastIndex((size, index) => index < head || (room -= size) < 0) + 1;
  return [...turns.slice(0, Math.max(1, head)), ...turns.slice(Math.max(1, head, tail))];
}

/** Characters, with what a reader's browser needs beside them. */
function sizeOf({ items }: ConversationTurn): number {
  const texts = items.map((item) => {
    if (item.kind === 'message') return item.text.text.length;
    if (item.kind === 'plan') return item.steps.join('').length;
    return item.name.length + 2 * item.input.text.length + (item.output?.text.length ?? 0);
  });
  return texts.reduce((sum, size) => sum + size + 200, 200);
}

function costParts({ requests, inputTokens, outputTokens, costUsd }: TurnCost): string[] {
  if (requests === 0) return [];
  return [
    plural(requests, 'request'),
    `${groupDigits(inputTokens)} tokens in`,
    `${groupDigits(outputTokens)} out`,
    ...(costUsd === null ? [] : [`${costUsd.toFixed(4)} USD`]),
  ];
}
