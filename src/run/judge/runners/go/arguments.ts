import { withoutOptions } from '../../command/options.ts';

const both = (...names: string[]): string[] => names.flatMap((name) => [`-${name}`, `--${name}`]);
const OWN = { flags: both('json', 'v', 'c', 'failfast'), valued: both('count', 'vet', 'cpu', 'o', 'list') };

const OWN_AND_SELECTION = { ...OWN, valued: [...OWN.valued, ...both('run', 'skip')] };

/** Flags of `go test` whose value is the next word, when it is not joined by `=`. */
const VALUED = new Set(
  both('run', 'skip', 'timeout', 'tags', 'p', 'parallel', 'bench', 'benchtime', 'fuzz', 'fuzztime', 'shuffle').concat(
    both(
      'covermode',
      'coverpkg',
      'coverprofile',
      'ldflags',
      'gcflags',
      'asmflags',
      'mod',
      'modfile',
      'exec',
      'overlay',
    ),
  ),
);

/** How `go test` is called, and `go list` for the files of the same packages. */
export interface GoArguments {
  readonly test: readonly string[];
  readonly list: readonly string[];
}

/** Null: none of the packages is one of sealed tests. */
export function goArguments(
  args: readonly string[],
  sealed: boolean,
  only: readonly string[] | undefined,
): GoArguments | null {
  const { packages, rest, after } = takePackages(withoutOptions(args, only === undefined ? OWN : OWN_AND_SELECTION));
  const asked = packages.length === 0 ? [sealed ? './...' : '.'] : packages;
  const wanted = only === undefined ? asked : [...new Set(only.map((id) => id.split('::', 1)[0] ?? ''))];
  const named = sealed && only === undefined ? wanted.flatMap(sealedPattern) : wanted;
  if (named.length === 0) return null;
  return {
    test: ['test', '-json', '-count=1', '-vet=off', ...rest, ...selecting(only), ...named, ...after],
    list: ['list', '-e', '-json', ...buildFlags(rest), ...named],
  };
}

/** Top-level tests with all that is below them: more may run than was asked for, never less. */
function selecting(only: readonly string[] | undefined): readonly string[] {
  if (only === undefined) return [];
  const names = only.map((id) => id.split('::')[1]?.split('/', 1)[0]);
  // The id of a whole package: it was not built, and now may hold anything.
  if (names.includes(undefined)) return [];
  return [`-run=^(${[...new Set(names)].join('|')})$`];
}

/** Of the packages that a pattern stands for, those in the directory of sealed tests. */
function sealedPattern(pattern: string): string[] {
  const path = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  if (path === '...' || path === '.') return ['./tests/...'];
  return path === 'tests' || path.startsWith('tests/') ? [`./${path}`] : [];
}

/** Flags that decide which files belong to a package. */
function buildFlags(flags: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const [at, word] of flags.entries()) {
    if (!/^--?(?:tags|mod|modfile|overlay|race)(?:=|$)/.test(word)) continue;
    kept.push(word, ...(VALUED.has(word) ? [flags[at + 1] ?? ''] : []));
  }
  return kept;
}

interface GoWords {
  readonly packages: readonly string[];
  readonly rest: readonly string[];
  /** For the test programs. */
  readonly after: readonly string[];
}

function takePackages(args: readonly string[]): GoWords {
  const packages: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '-args' || word === '--args') return { packages, rest, after: args.slice(at) };
    if (!word.startsWith('-')) {
      packages.push(word);
      continue;
    }
    rest.push(word);
    if (VALUED.has(word)) {
      at += 1;
      rest.push(args[at] ?? '');
    }
  }
  return { packages, rest, after: [] };
}
