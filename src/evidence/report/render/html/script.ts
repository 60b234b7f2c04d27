import { createHash } from 'node:crypto';
import { Markup } from './markup.ts';

/*
 * Searches and folds the conversation. It reads the page's text and sets `hidden` and `open`, nothing else: it makes no markup, so
 * hostile text stays text. The page's policy allows this script alone, by its digest.
 */
const SEARCH = `
const bar = document.querySelector('.search');
const turns = [...document.querySelectorAll('.turn')];
if (bar && turns.length) {
  const [field, failed] = bar.querySelectorAll('input');
  const count = bar.querySelector('output');
  const texts = [];
  const textOf = (index) => (texts[index] ??= turns[index].textContent.toLowerCase());
  let shown = turns;
  let place = -1;
  const marks = (words) => {
    if (!CSS.highlights) return;
    CSS.highlights.delete('found');
    if (words === '') return;
    const ranges = [];
    for (const turn of shown.slice(0, 200)) {
      const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length !== 5000; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue;
        for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + words.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set('found', new Highlight(...ranges));
  };
  const search = () => {
    const words = field.value.trim().toLowerCase();
    const isAll = words === '' && !failed.checked;
    shown = turns.filter((turn, index) => (!failed.checked || turn.querySelector('.call.failed')) && textOf(index).includes(words));
    const kept = new Set(shown);
    for (const turn of turns) turn.hidden = !kept.has(turn);
    if (!isAll) for (const turn of shown.slice(0, 50)) {
      turn.open = true;
      for (const call of turn.querySelectorAll('.call')) if (words !== '' && call.textContent.toLowerCase().includes(words)) call.open = true;
    }
    count.textContent = isAll ? '' : shown.length + ' of ' + turns.length + (turns.length === 1 ? ' turn' : ' turns');
    place = -1;
    marks(words);
  };
  let timer;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  failed.addEventListener('change', search);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || shown.length === 0) return;
    event.preventDefault();
    place = (place + (event.shiftKey ? shown.length - 1 : 1)) % shown.length;
    shown[place].open = true;
    shown[place].scrollIntoView({ block: 'start' });
  });
  for (const button of bar.querySelectorAll('button'))
    button.addEventListener('click', () => {
      for (const turn of shown) turn.open = button.value === 'open';
    });
  bar.hidden = false;
}
`;

/** The only script that the page's policy lets run. */
export const SCRIPT_DIGEST = `sha256-${createHash('sha256').update(SEARCH).digest('base64')}`;

export const SCRIPT = new Markup(`<script>${SEARCH}</script>`);
