import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: … is 2026, ✕ is 2715.
/** What was asked last, but not the placeholder of an empty composer. */
const ASKED = /^ > (?! {2}Type your message)\S/;

/** Gemini CLI 0.61. Its title is right but for trust and login (`Ready`) and the menu of a limit (`Working…`), so those come first. */
export const GEMINI_SCREENS: readonly ScreenRule[] = [
  { state: 'trust', line: /\b1\. Trust folder\b/ },
  { state: 'login', line: /How would you like to authenticate|No authentication method selected/, within: 30 },
  { state: 'limit', line: /Usage limit reached for /, within: 20 },
  { state: 'permission', title: /Action Required/ },
  { state: 'permission', line: /Apply this change\?|Allow execution of \[/ },
  { state: 'working', title: /Working\u2026/ },
  { state: 'limit', line: /\[API Error: You have exhausted your daily quota/, within: 20, notBelow: ASKED },
  { state: 'error', line: /\u2715 \[API Error/, within: 20, notBelow: ASKED },
  { state: 'idle', title: /Ready/ },
];
