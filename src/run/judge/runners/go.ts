import { withoutOptions } from '../command/options.ts';

const both = (...names: string[]): string[] => names.flatMap((name) => [`-${name}`, `--${name}`]);
const OWN = { flags: both('json', 'v', 'c', 'failfast'), valued: both('count', 'vet', 'cpu', 'o', 'list') };

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

/** Null: none of the packages is one of sealed tests. */
export function goArguments(args: readonly string[], sealed: boolean): readonly string[] | null {
  const forced = ['test', '-json', '-count=1', '-vet=off'];
  const asked = withoutOptions(args, OWN);
  if (!sealed) return [...forced, ...asked];
  const { packages, rest } = takePackages(asked);
  const wanted = (packages.length === 0 ? ['./...'] : packages).flatMap(sealedPattern);
  return wanted.length === 0 ? null : [...forced, ...wanted, ...rest];
}

/** Of the packages that a pattern stands for, those in the folder of sealed tests. */
function sealedPattern(pattern: string): string[] {
  const path = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  if (path === '...' || path === '.') return ['./tests/...'];
  return path === 'tests' || path.startsWith('tests/') ? [`./${path}`] : [];
}

function takePackages(args: readonly string[]): {
  readonly packages: readonly string[];
  readonly rest: readonly string[];
} {
  const packages: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '-args' || word === '--args') return { packages, rest: [...rest, ...args.slice(at)] };
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
  return { packages, rest };
}
