import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: △ is 25b3, ⬝ is 2b1d, ■ is 25a0, ▣ is 25a3, · is 00b7.
/** OpenCode 1.18. A long message in the bottom line writes the rest of that line downwards, one letter a line. */
export const OPENCODE_SCREENS: readonly ScreenRule[] = [
  { state: 'permission', line: /\u25b3 Permission required|Allow once {3}Allow always {3}Reject/, within: 40 },
  { state: 'permission', line: /enter submit {2}esc dismiss/ },
  // It goes on trying, in vain.
  { state: 'limit', line: /^ {3}[\u2b1d\u25a0]{8} .*\b(?:current quota|usage limit)\b/, within: 16 },
  { state: 'retrying', line: /^ {3}[\u2b1d\u25a0]{8} .*\[retry/, within: 16 },
  { state: 'working', line: /^ {3}[\u2b1d\u25a0]{8} {2}esc interrupt/, within: 2 },
  // A turn that ended well has its duration behind the model.
  { state: 'error', line: /^ {5}\u25a3 {2}\S+ \u00b7 \S+$/, within: 9 },
  { state: 'idle', line: /ctrl\+p commands/, within: 5 },
];
