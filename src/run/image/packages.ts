/** Programs by which a Debian package is known to be there, also where the machine has them from elsewhere. */
const PROGRAMS_OF: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^build-essential$/, ['gcc', 'g++', 'make']],
  [/^python3(?:\.\d+)?(?:-minimal|-full|-venv|-dev|-distutils)?$|^python-is-python3$|^python$/, ['python3']],
  [/^python3?-pip$/, ['python3']],
  [/^python3?-pytest$/, ['python3']],
  [/^nodejs$|^npm$/, ['node', 'npm']],
  [/^golang(?:-go|-[\d.]+(?:-go)?)?$/, ['go']],
  [/^(?:rustc|cargo|rustup)$/, ['cargo', 'rustc']],
  [/^(?:default-jdk|openjdk-\d+-jdk)(?:-headless)?$/, ['javac']],
  [/^(?:default-jre|openjdk-\d+-jre)(?:-headless)?$/, ['java']],
  [/^g\+\+(?:-\d+)?$/, ['g++']],
  [/^gcc(?:-\d+)?$/, ['gcc']],
  [/^clang(?:-\d+)?$/, ['clang']],
];

/** What the family's own harness, its image or a person at its terminal needs, and no task does. */
const OF_THE_IMAGE =
  /^(?:tmux|asciinema|ca-certificates(?:-java)?|gnupg2?|gpg|dirmngr|lsb-release|software-properties-common|apt-utils|apt-transport-https|locales|tzdata|sudo|less|vim(?:-tiny)?|nano|man-db|bash-completion|debconf|expect)$/;

/** Where a download leads, and the programs that it brings. */
const INSTALLERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^https:\/\/astral\.sh\/uv\//, []],
  [/^https:\/\/sh\.rustup\.rs/, ['cargo', 'rustc']],
  [/^https:\/\/(?:golang\.org|go\.dev|dl\.google\.com\/go)\//, ['go']],
  [/^https:\/\/(?:deb\.nodesource\.com|nodejs\.org|raw\.githubusercontent\.com\/nvm-sh)\//, ['node', 'npm']],
  [/^https:\/\/bootstrap\.pypa\.io\/get-pip\.py/, ['python3']],
];

/** Test runners and reporters that the judge brings itself. */
const OF_THE_JUDGE = /^(?:pip|setuptools|wheel|uv|pytest|pytest-json-ctrf|pytest-timeout|pytest-json-report)$/;

export type PackageNeed =
  | { readonly kind: 'none'; readonly because: string }
  | { readonly kind: 'programs'; readonly names: readonly string[] }
  | { readonly kind: 'debian' | 'python'; readonly name: string };

export function needOfDebianPackage(given: string): PackageNeed {
  const name = given.replace(/[=/:].*$/, '');
  if (OF_THE_IMAGE.test(name)) return { kind: 'none', because: 'not needed here' };
  const programs = PROGRAMS_OF.find(([pattern]) => pattern.test(name))?.[1];
  return programs === undefined ? { kind: 'debian', name } : { kind: 'programs', names: programs };
}

/** `given`: as pip takes it, with version and extras. */
export function needOfPythonPackage(given: string): PackageNeed {
  const name = given
    .replace(/[\s[<>=!~;@].*$/, '')
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-');
  return OF_THE_JUDGE.test(name) ? { kind: 'none', because: 'the judge brings it' } : { kind: 'python', name };
}

/** Null: what the address brings is not known. */
export function programsAt(address: string): readonly string[] | null {
  return INSTALLERS.find(([pattern]) => pattern.test(address))?.[1] ?? null;
}
