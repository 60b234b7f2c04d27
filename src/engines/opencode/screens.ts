import type { ScreenRule } from '../pane/screen.ts';

/** OpenCode 1.18. A long message in the bottom line writes the rest of that line downwards, one letter a line. */
export const OPENCODE_SCREENS: readonly ScreenRule[] = [
  { state: 'permission', line: /△ Permission required|Allow once {3}Allow always {3}Reject/, within: 40 },
  { state: 'permission', line: /enter submit {2}esc dismiss/ },
  { state: 'retrying', line: /^ {3}[⬝■]{8} .*\[retry/, within: 16 },
  { state: 'working', line: /^ {3}[⬝■]{8} {2}esc interrupt/, within: 2 },
  // A turn that ended well has its duration behind the model.
  { state: 'error', line: /^ {5}▣ {2}\S+ · \S+$/, within: 9 },
  { state: 'idle', line: /ctrl\+p commands/, within: 5 },
];
