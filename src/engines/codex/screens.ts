import { resetTime } from '../pane/reset-time.ts';
import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: › is 203a, • is 2022, ■ is 25a0, ’ is 2019, · is 00b7, ⠀ is 2800, ⣿ is 28ff.
/** What was asked last, but not the placeholder of an empty composer. */
const ASKED = /^\u203a (?!Ask Codex to do anything|\d\. )\S/;

/** Codex 0.166. The composer is drawn before the program is ready; the line with the model below it comes last. */
export const CODEX_SCREENS: readonly ScreenRule[] = [
  { state: 'trust', line: /1\. Trust and continue/ },
  { state: 'login', line: /1\. Sign in with ChatGPT/ },
  { state: 'login', line: /Paste or type your API key/ },
  { state: 'permission', line: /Would you like to (?:run the following command|make the following edits)\?/ },
  { state: 'permission', title: /Action Required/ },
  { state: 'permission', line: /1\. Try new model|Continue anyway\? \[y\/N\]/ },
  { state: 'error', line: /This conversation is open in another app/ },
  { state: 'retrying', line: /\u2022 Reconnecting\.\.\./ },
  { state: 'working', line: /\u2022 Working \(.*esc to interrupt\)/ },
  // The line above is gone while an answer is being written.
  { state: 'working', title: /^[\u2800-\u28ff] / },
  {
    state: 'limit',
    line: /(?:usage limit|credits) .*try again at (.+?)\.?\s*$/,
    notBelow: ASKED,
    until: ([, when = ''], now) => resetTime(when, now),
  },
  { state: 'limit', line: /^\u25a0 You\u2019ve hit your usage limit/, notBelow: ASKED },
  { state: 'error', line: /^\u25a0 (?!Conversation interrupted)/, notBelow: ASKED },
  { state: 'idle', line: /^ {2}\S+ \S+ \u00b7 [/~]/, within: 3 },
];
