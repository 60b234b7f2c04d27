/** The words of `node … --test …`, sorted. */
export interface NodeTestWords {
  /** For node itself, values joined. */
  readonly options: readonly string[];
  /** Files, directories, patterns. */
  readonly files: readonly string[];
}

const VALUED = new Set([
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '--conditions',
  '-C',
  '--env-file',
  '--env-file-if-exists',
  '--test-name-pattern',
  '--test-skip-pattern',
  '--test-concurrency',
  '--test-timeout',
  '--test-shard',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-coverage-include',
  '--test-coverage-exclude',
  '--test-isolation',
]);
/** Decided by the judge: reports, what is written, and that tests run in processes of their own. */
const OWN =
  /^--(?:test-reporter(?:-destination)?|test-update-snapshots|watch|watch-path|(?:experimental-)?test-isolation)(?:=|$)/;
/** Loads TypeScript, as node by itself does only from version 23.6 on. */
const LOADS_TYPESCRIPT =
  /^(?:--experimental-(?:strip|transform)-types$|.*\b(?:tsx|ts-node|swc-node|esbuild-register|tsimp)\b)/;

export function sortNodeWords(args: readonly string[]): NodeTestWords {
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) {
      files.push(word);
      continue;
    }
    const takesNext = VALUED.has(word);
    const option = takesNext ? joined(word, args[at + 1] ?? '') : word;
    if (takesNext) at += 1;
    if (!OWN.test(option)) options.push(option);
  }
  return { options, files };
}

export function loadsTypeScript({ options, files }: NodeTestWords): boolean {
  return options.some((option) => LOADS_TYPESCRIPT.test(option)) || files.some((file) => /\.[cm]?ts$/.test(file));
}

/** Only long options can have their value joined to them. */
function joined(name: string, value: string): string {
  if (name === '-r') return `--require=${value}`;
  return `${name === '-C' ? '--conditions' : name}=${value}`;
}
