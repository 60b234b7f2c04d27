import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: ✕ is 2715.
/** What was asked last. */
const ASKED = /^ {2}> \S/;

/** Qwen Code 0.15. Retries of 429 and 500 show an ordinary spinner; a 429 that is shown outlasted all of them. The placeholder of the composer is also there while it works. */
export const QWEN_SCREENS: readonly ScreenRule[] = [
  { state: 'login', line: /Select Authentication Method|Terms of Services and Privacy Notice/, within: 30 },
  { state: 'permission', line: /Waiting for user confirmation|Apply this change\?|Allow execution of:/ },
  { state: 'working', line: /\besc to cancel\)/ },
  {
    state: 'limit',
    line: /\u2715 \[API Error: .*\b(?:429|quota|rate limit|usage limit|free tier .*exhausted)\b/i,
    notBelow: ASKED,
  },
  { state: 'error', line: /\u2715 \[API Error/, notBelow: ASKED },
  { state: 'idle', line: /^> /, within: 12 },
];
