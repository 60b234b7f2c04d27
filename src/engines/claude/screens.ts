import { resetTime } from '../pane/reset-time.ts';
import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: ❯ is 276f, · is 00b7, ↑ is 2191, ↓ is 2193, ⠂ is 2802, ⠐ is 2810, ● is 25cf, ✳ is 2733.
/** What was asked last, but not the menu that a limit opens by itself; an error above it belongs to an earlier turn. */
const ASKED = /^\u276f (?!\/rate-limit-options)\S/;

/** Claude Code 2.1. The title tells working from idle, but stays at idle in every dialog, so dialogs come first. */
export const CLAUDE_SCREENS: readonly ScreenRule[] = [
  { state: 'trust', line: /Yes, I trust this folder/ },
  { state: 'trust', line: /running in Bypass Permissions mode/ },
  { state: 'trust', line: /Choose the text style|Security notes:/, within: 30 },
  { state: 'login', line: /Do you want to use this API key\?/ },
  // Before its menu, which does not say when it ends.
  {
    state: 'limit',
    line: /You've hit your .*limit(?: \u00b7 resets (.*))?$/,
    notBelow: ASKED,
    until: ([, when = ''], now) => resetTime(when, now),
  },
  { state: 'limit', line: /Stop and wait for limit to reset/ },
  { state: 'permission', line: /^\s*Do you want to .*\?\s*$/ },
  { state: 'permission', line: /Enter to select \u00b7 \u2191\/\u2193 to navigate/ },
  { state: 'login', line: /Not logged in \u00b7 (?:Run|Please run) \/login/, within: 5 },
  { state: 'login', line: /Invalid API key/, notBelow: ASKED },
  { state: 'retrying', line: /Retrying in \d+s \u00b7 attempt \d+\/\d+/ },
  { state: 'working', title: /^[\u2802\u2810] / },
  { state: 'working', line: /\besc to interrupt\b/, within: 3 },
  { state: 'error', line: /^\u25cf API Error/, notBelow: ASKED },
  { state: 'idle', title: /^\u2733 / },
];
