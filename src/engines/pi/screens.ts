import type { ScreenRule } from '../pane/screen.ts';

// The bundle is ASCII but for strings, so patterns spell other signs by number: ⠀ is 2800, ⣿ is 28ff.
/** What the composer and the two lines below it take up. */
const ABOVE_COMPOSER = 6;

/** Pi 0.73. It has no trust or permission dialogs, its title says nothing, and lines of the user carry no mark: errors count only just above the composer. */
export const PI_SCREENS: readonly ScreenRule[] = [
  { state: 'login', line: /No models available\. Use \/login/ },
  { state: 'retrying', line: /^ [\u2800-\u28ff] Retrying \(\d+\/\d+\) in / },
  { state: 'working', line: /^ [\u2800-\u28ff] Working\.\.\./ },
  { state: 'limit', line: /^ Error: .*\b(?:current quota|usage limit)\b/, within: ABOVE_COMPOSER },
  { state: 'error', line: /^ Error: /, within: ABOVE_COMPOSER },
  { state: 'idle', line: /%\/\S+ \(auto\)/, within: 3 },
];
