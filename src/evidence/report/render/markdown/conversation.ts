import type { Block, ConversationItem, ConversationTurn, Excerpt } from '../document.ts';
import { momentOfRun, plural } from '../text/words.ts';
import { codeSpan, fence } from './inline.ts';

type Conversation = Extract<Block, { kind: 'conversation' }>;

export function conversationMarkdown({ turns, total, events }: Conversation): string {
  const left = total - turns.length;
  return [
    ...turns.map(turnMarkdown),
    ...(left === 0 ? [] : [`${plural(left, 'turn')} not shown here: see ${codeSpan(events)}`]),
  ].join('\n\n');
}

function turnMarkdown({ number, atMs, cost, items, leftOut }: ConversationTurn): string {
  const head = `**${number}** · ${momentOfRun(atMs)}${cost === '' ? '' : ` · ${cost}`}`;
  const left = leftOut === 0 ? [] : [`${leftOut} more in this turn`];
  return [head, ...items.map(itemMarkdown), ...left].join('\n\n');
}

function itemMarkdown(item: ConversationItem): string {
  switch (item.kind) {
    case 'message':
      return fence(cutOff(item.text), 'text');
    case 'plan':
      return ['Plan:', ...item.steps.map((step) => `- ${codeSpan(step)}`)].join('\n');
    case 'call': {
      const output = item.output === null ? [] : [fence(cutOff(item.output), 'text')];
      return [`${codeSpan(item.name)} ${codeSpan(item.about)}: ${item.state}`, ...output].join('\n\n');
    }
    default:
      return item satisfies never;
  }
}

function cutOff({ text, left }: Excerpt): string {
  return left === 0 ? text : `${text}\n⋯ ${left} more characters ⋯`;
}
