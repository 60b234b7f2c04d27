/** Options of a runner that the judge decides itself. Each by all its spellings, dashes included. */
export interface OwnOptions {
  /** Stand alone: `--watch`, `--watch=true`. */
  readonly flags?: readonly string[];
  /** Have a value, as `--pool=threads` or `--pool threads`. */
  readonly valued?: readonly string[];
}

/** The words without those options. What comes after `--` is left as it is. */
export function withoutOptions(args: readonly string[], { flags = [], valued = [] }: OwnOptions): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') return [...kept, ...args.slice(at)];
    const name = word.replace(/=.*$/s, '');
    if (valued.includes(name)) {
      if (word === name) at += 1;
    } else if (!flags.includes(name)) {
      kept.push(word);
    }
  }
  return kept;
}
