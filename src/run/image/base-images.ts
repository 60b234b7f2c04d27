/** What a base image brings that a machine has to have in its place. */
export interface BaseImage {
  readonly matches: RegExp;
  readonly programs: readonly string[];
}

const COMPILERS = ['gcc', 'g++', 'make'];

/** Debian, Ubuntu and images of languages that are built on them. The first match counts. */
const BASE_IMAGES: readonly BaseImage[] = [
  { matches: /^(?:ubuntu|debian)$/, programs: [] },
  { matches: /^t-bench\/ubuntu-[\d-]+$/, programs: [] },
  { matches: /^t-bench\/python-[\d-]+$/, programs: ['python3'] },
  { matches: /^buildpack-deps$/, programs: [...COMPILERS, 'git'] },
  { matches: /^python$/, programs: ['python3'] },
  { matches: /^node$/, programs: ['node', 'npm'] },
  { matches: /^golang$/, programs: ['go'] },
  { matches: /^rust$/, programs: ['cargo', 'rustc'] },
  { matches: /^gcc$/, programs: COMPILERS },
  { matches: /^(?:openjdk|eclipse-temurin|amazoncorretto)$/, programs: ['java', 'javac'] },
  { matches: /^maven$/, programs: ['java', 'javac', 'mvn'] },
  { matches: /^ruby$/, programs: ['ruby'] },
  { matches: /^perl$/, programs: ['perl'] },
  { matches: /^php$/, programs: ['php'] },
];

/** Systems whose programs differ from those of a Debian machine. */
const OTHER_SYSTEMS = /alpine|busybox|windows|nanoserver|fedora|centos|rockylinux|almalinux|archlinux|opensuse/;

/** The programs that stand in for a base image, or why nothing can. */
export function standInFor(image: string): { readonly programs: readonly string[] } | { readonly why: string } {
  const { name, tag } = partsOf(image);
  if (OTHER_SYSTEMS.test(`${name}:${tag}`)) return { why: `${image} is not a Debian or Ubuntu system` };
  const known = BASE_IMAGES.find(({ matches }) => matches.test(name));
  return known === undefined ? { why: `nothing here stands in for its base image ${image}` } : known;
}

/** Without registry, account and digest: `ghcr.io/laude-institute/t-bench/python-3-13:2025` is `t-bench/python-3-13`. */
function partsOf(image: string): { readonly name: string; readonly tag: string } {
  const [path = ''] = image.split('@', 1);
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  const [short = '', tag = ''] = last.split(':');
  const family = parts.at(-1);
  return { name: family === 't-bench' ? `t-bench/${short}` : short, tag };
}
