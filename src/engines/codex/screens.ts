import { resetTime } from '../pane/reset-time.ts';
import type { ScreenRule } from '../pane/screen.ts';

/** What was asked last, but not the placeholder of an empty composer. */
const ASKED = /^› (?!Ask Codex to do anything|\d\. )\S/;

/** Codex 0.166. The composer is drawn before the program is ready; the line with the model below it comes last. */
export const CODEX_SCREENS: readonly ScreenRule[] = [
  { state: 'trust', line: /1\. Trust and continue/ },
  { state: 'login', line: /1\. Sign in with ChatGPT/ },
  { state: 'login', line: /Paste or type your API key/ },
  { state: 'permission', line: /Would you like to (?:run the following command|make the following edits)\?/ },
  { state: 'permission', title: /Action Required/ },
  { state: 'permission', line: /1\. Try new model|Continue anyway\? \[y\/N\]/ },
  { state: 'error', line: /This conversation is open in another app/ },
  { state: 'retrying', line: /• Reconnecting\.\.\./ },
  { state: 'working', line: /• Working \(.*esc to interrupt\)/ },
  {
    state: 'limit',
    line: /(?:usage limit|credits) .*try again at (.+?)\.?\s*$/,
    notBelow: ASKED,
    until: ([, when = ''], now) => resetTime(when, now),
  },
  { state: 'limit', line: /^■ You’ve hit your usage limit/, notBelow: ASKED },
  { state: 'error', line: /^■ (?!Conversation interrupted)/, notBelow: ASKED },
  { state: 'idle', line: /^ {2}\S+ \S+ · [/~]/, within: 3 },
];
