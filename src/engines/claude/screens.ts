import { resetTime } from '../pane/reset-time.ts';
import type { ScreenRule } from '../pane/screen.ts';

/** What was asked last; an error above it belongs to an earlier turn. */
const ASKED = /^❯ \S/;

/** Claude Code 2.1. The title tells working from idle, but stays at idle in every dialog, so dialogs come first. */
export const CLAUDE_SCREENS: readonly ScreenRule[] = [
  { state: 'trust', line: /Yes, I trust this folder/ },
  { state: 'trust', line: /running in Bypass Permissions mode/ },
  { state: 'trust', line: /Choose the text style|Security notes:/, within: 30 },
  { state: 'login', line: /Do you want to use this API key\?/ },
  { state: 'limit', line: /Stop and wait for limit to reset/ },
  { state: 'permission', line: /^\s*Do you want to .*\?\s*$/ },
  { state: 'permission', line: /Enter to select · ↑\/↓ to navigate/ },
  { state: 'login', line: /Not logged in · (?:Run|Please run) \/login/, within: 5 },
  { state: 'login', line: /Invalid API key/, notBelow: ASKED },
  {
    state: 'limit',
    line: /You've hit your .*limit(?: · resets (.*))?$/,
    notBelow: ASKED,
    until: ([, when = ''], now) => resetTime(when, now),
  },
  { state: 'retrying', line: /Retrying in \d+s · attempt \d+\/\d+/ },
  { state: 'working', title: /^[⠂⠐] / },
  { state: 'working', line: /\besc to interrupt\b/, within: 3 },
  { state: 'error', line: /^● API Error/, notBelow: ASKED },
  { state: 'idle', title: /^✳ / },
];
