/** A pane as tmux shows it now. */
export interface PaneScreen {
  readonly title: string;
  /** Without trailing blank lines. */
  readonly lines: readonly string[];
}

/**
 * What a program's screen says about it. `working`: a turn is going on. `idle`: it waits for input. `retrying`: the model does not answer and
 * it tries again. `error`: it gave up, and waits for input. `limit`: a usage limit. `permission`, `login`, `trust`: a dialog that only a person may
 * answer. `unknown`: no rule matches.
 */
export type ScreenState =
  | 'working'
  | 'idle'
  | 'retrying'
  | 'error'
  | 'limit'
  | 'permission'
  | 'login'
  | 'trust'
  | 'unknown';

/** One way to recognise a state: every given pattern must match. Patterns are case-sensitive and see one line at a time. */
export interface ScreenRule {
  readonly state: Exclude<ScreenState, 'unknown'>;
  readonly title?: RegExp;
  /** Must match one of the last `within` lines that are not blank. */
  readonly line?: RegExp;
  /** Default: 15. Old errors stay further up in the transcript. */
  readonly within?: number;
  /** No line below the matching one may match: an error above a later answer is over. */
  readonly notBelow?: RegExp;
  /** Of a limit: the time at which it ends, from the match of `line`. Null: the line has none. */
  readonly until?: (match: RegExpExecArray, now: Date) => Date | null;
}

export interface ScreenReading {
  readonly state: ScreenState;
  /** The line or title that decided, for `why`. */
  readonly evidence: string | null;
  /** Of a limit: when it ends, if the screen says so. */
  readonly until: Date | null;
}

const DEFAULT_WITHIN = 15;

/** The first rule that matches decides. Must not throw. */
export function readScreen(rules: readonly ScreenRule[], screen: PaneScreen, now: Date): ScreenReading {
  for (const rule of rules) {
    const found = matchRule(rule, screen);
    if (found === null) continue;
    const until = found.match === null ? null : (rule.until?.(found.match, now) ?? null);
    return { state: rule.state, evidence: found.evidence.trim(), until };
  }
  return { state: 'unknown', evidence: null, until: null };
}

interface Found {
  readonly evidence: string;
  readonly match: RegExpExecArray | null;
}

function matchRule(rule: ScreenRule, { title, lines: all }: PaneScreen): Found | null {
  if (rule.title?.test(title) === false) return null;
  if (rule.line === undefined) return rule.title === undefined ? null : { evidence: title, match: null };
  // Programs that draw their composer at the bottom leave blank lines above it.
  const lines = all.filter((line) => line.trim() !== '');
  const first = Math.max(0, lines.length - (rule.within ?? DEFAULT_WITHIN));
  for (let at = lines.length - 1; at >= first; at -= 1) {
    const line = lines[at] ?? '';
    const match = rule.line.exec(line);
    if (match !== null) return { evidence: line, match };
    if (rule.notBelow?.test(line) === true) return null;
  }
  return null;
}
