import picomatch from 'picomatch';
import type { Ecosystem } from '../../facts.ts';

/** Files by which a test runner, compiler or build tool is told what to do. */
export interface SettingsRule {
  /** For the sentence: "new pytest settings". */
  readonly what: string;
  readonly ecosystem: Ecosystem | 'any';
  /** Globs of a path's end: `pytest.ini` matches in every directory. */
  readonly files: readonly string[];
  /**
   * When a new one is refused. `governing`: where it stands at or above files of the base; `anywhere`; `looked_for`: only if the base's run
   * looked for it, or that is not known: such a file has power only where another one names it, or a tool of that kind is used.
   */
  readonly planted: 'governing' | 'anywhere' | 'looked_for';
  /** When a changed one is refused. `used`: if the base's run read it or looked for it; `never`: it is an ordinary file then. */
  readonly changed: 'used' | 'never';
  /** Reads the parts of the text that decide. Two versions with the same parts decide the same. */
  readonly parts?: (text: string, runner: string) => string;
}

export interface SettingsData extends Partial<Pick<SettingsRule, 'planted' | 'changed' | 'parts'>> {
  readonly what: string;
  readonly files: readonly string[];
}

export function settingsRules(ecosystem: Ecosystem | 'any', data: readonly SettingsData[]): readonly SettingsRule[] {
  return data.map((one) => ({ planted: 'governing', changed: 'used', ...one, ecosystem }));
}

/**
 * Tells whether a path ends with one of the globs. Paths may hold line breaks, which a pattern must match too. The globs are compiled at
 * the first question: there are hundreds of them, and most commands ask none.
 */
export function endsLike(
  globs: readonly string[],
  options: { readonly nocase?: boolean } = {},
): (path: string) => boolean {
  let matches: ((path: string) => boolean) | null = null;
  return (path) => {
    matches ??= picomatch(
      globs.map((glob) => `**/${glob}`),
      { dot: true, flags: options.nocase === true ? 'is' : 's' },
    );
    return matches(path);
  };
}
