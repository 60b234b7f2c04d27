import type { Block, ConversationItem, ConversationTurn, Excerpt } from '../document.ts';
import { safeLine } from '../text/safe-text.ts';
import { durationText, groupDigits, momentOfRun, plural } from '../text/words.ts';
import { type Markup, markup } from './markup.ts';

/** A longer conversation is shown as a list of its turns, to be opened one by one. */
const MANY_TURNS = 40;
/** A longer output is shown when it is asked for. */
const SHORT_OUTPUT = 1500;
const NAME_LENGTH = 120;

type Conversation = Extract<Block, { kind: 'conversation' }>;
type Call = Extract<ConversationItem, { kind: 'call' }>;

/** Turns and calls fold without any script; the search field is hidden until the page's own script has made it work. */
export function conversationHtml({ turns, total, events }: Conversation): Markup {
  const isOpen = total <= MANY_TURNS;
  const rows = turns.map((turn, index) => [
    gapHtml(turn.number - (turns[index - 1]?.number ?? 0) - 1, events),
    turnHtml(turn, isOpen, events),
  ]);
  return markup`<div class="search" hidden>
<label>Search <input type="search" placeholder="words, a file, a tool" autocomplete="off" spellcheck="false"></label>
<label><input type="checkbox"> failed calls only</label>
<button type="button" value="open">Open all</button> <button type="button" value="close">Close all</button>
<output></output>
</div>
<div class="talk">
${rows}</div>
`;
}

function gapHtml(left: number, events: string): Markup {
  return left <= 0
    ? markup``
    : markup`<p class="left">${plural(left, 'turn')} not shown here: see <a href="${events}"><code>${events}</code></a></p>\n`;
}

function turnHtml(turn: ConversationTurn, isOpen: boolean, events: string): Markup {
  const cost = turn.cost === '' ? '' : markup`<span class="cost">${turn.cost}</span>`;
  const head = markup`<summary><b>${turn.number}</b> <time>${momentOfRun(turn.atMs)}</time> <span class="gist">${gistOf(turn)}</span> ${cost}</summary>`;
  const left =
    turn.leftOut === 0
      ? ''
      : markup`<p class="left">${groupDigits(turn.leftOut)} more in this turn: see <a href="${events}"><code>${events}</code></a></p>\n`;
  const body = markup`${head}
${turn.items.map((item) => itemHtml(item, events))}${left}`;
  return isOpen
    ? markup`<details class="turn" id="turn-${turn.number}" open>${body}</details>\n`
    : markup`<details class="turn" id="turn-${turn.number}">${body}</details>\n`;
}

/** What a folded turn shows of itself. */
function gistOf({ items }: ConversationTurn): Markup {
  const message = items.find((item) => item.kind === 'message');
  const said = message?.kind === 'message' ? (message.text.text.trim().split('\n', 1)[0] ?? '') : '';
  const calls = items.flatMap((item) => (item.kind === 'call' ? [item] : []));
  const shown = calls
    .slice(0, 6)
    .map(({ name, state }) => markup` <code class="${state === 'failed' ? 'bad' : 'tool'}">${short(name)}</code>`);
  const more = calls.length > shown.length ? ` and ${calls.length - shown.length} more` : '';
  return markup`${safeLine(said.slice(0, NAME_LENGTH))}${shown}${more}`;
}

function itemHtml(item: ConversationItem, events: string): Markup {
  switch (item.kind) {
    case 'message':
      return markup`<div class="said">${item.text.text}${cutHtml(item.text, events)}</div>\n`;
    case 'plan':
      return markup`<div class="said"><b>Plan</b><ul>${item.steps.map((step) => markup`<li>${safeLine(step)}</li>\n`)}</ul></div>\n`;
    case 'call':
      return callHtml(item, events);
    default:
      return item satisfies never;
  }
}

const MARK = { ok: '✓', failed: '✕', 'no result': '…' } as const;

function callHtml(call: Call, events: string): Markup {
  const isOpen = call.state === 'failed' || (call.output?.text.length ?? 0) + call.input.text.length <= SHORT_OUTPUT;
  const took = call.tookMs === null ? call.state : durationText(call.tookMs);
  const edits =
    call.edits.length === 0 ? '' : markup` <small>edits ${safeLine(call.edits.join(', ').slice(0, 400))}</small>`;
  const head = markup`<summary><b>${MARK[call.state]} ${short(call.name)}</b> <code>${safeLine(call.about)}</code>${edits} <span class="cost">${call.state === 'failed' ? `failed, ${took}` : took}</span></summary>`;
  const output =
    call.output === null
      ? markup`<p class="left">No result was reported.</p>`
      : call.output.text.trim() === ''
        ? markup`<p class="left">(empty)</p>`
        : markup`<pre>${call.output.text}</pre>${cutHtml(call.output, events)}`;
  const input =
    call.input.text === ''
      ? markup``
      : markup`<div><h4>Call</h4><pre>${call.input.text}</pre>${cutHtml(call.input, events)}</div>`;
  const body = markup`${head}
<div class="pair">${input}<div><h4>Output</h4>${output}</div></div>
`;
  const kind = call.state === 'failed' ? 'failed' : 'done';
  return isOpen
    ? markup`<details class="call ${kind}" open>${body}</details>\n`
    : markup`<details class="call ${kind}">${body}</details>\n`;
}

function short(name: string): string {
  return safeLine(name.slice(0, NAME_LENGTH));
}

function cutHtml({ left }: Excerpt, events: string): Markup {
  return left === 0
    ? markup``
    : markup`<p class="left">${groupDigits(left)} more characters: see <a href="${events}"><code>${events}</code></a></p>`;
}
