import { posix } from 'node:path';
import { parseShell } from '../judge/command/shell/parse.ts';
import type { Simple } from '../judge/command/shell/tree.ts';
import { simpleCommands } from '../judge/command/shell/visit.ts';
import { programsAt } from './packages.ts';

/** What a `RUN` instruction asks for that a machine can have already. */
export interface StepNeeds {
  readonly debian: readonly string[];
  readonly python: readonly string[];
  /** Files of requirements, as seen inside. */
  readonly requirements: readonly string[];
  readonly programs: readonly string[];
  /** Directories that it makes, as seen inside. */
  readonly dirs: readonly string[];
  /** Files that it makes executable, as seen inside. */
  readonly executables: readonly string[];
}

const NOTHING: StepNeeds = { debian: [], python: [], requirements: [], programs: [], dirs: [], executables: [] };

/** Commands that change nothing a task could notice. */
const WITHOUT_EFFECT = new Set(
  'true : echo printf test [ export set cd which command uname sleep hash locale-gen ldconfig add-apt-repository apt-key update-ca-certificates update-alternatives dpkg-reconfigure debconf-set-selections useradd groupadd adduser addgroup usermod chown dpkg cat ls pwd id date false'.split(
    ' ',
  ),
);
const VERSION_QUERY = /^(?:--version|-version|-V|-v|version|--help)$/;
/** What was downloaded, package lists and caches: nothing that a task could miss. */
const REMOVABLE =
  /^(?:\/var\/(?:lib\/apt|cache|log)|\/tmp|\/root\/\.cache|\/usr\/share\/(?:doc|man|locale))(?:\/|$)|^[^/]+\.(?:tar(?:\.\w+)?|tgz|zip|deb|sh|py)$/;
const OF_EVERY_SYSTEM =
  /^\/(?:usr(?:\/local)?(?:\/(?:bin|sbin|lib|share|src|include))?|bin|sbin|lib|etc|opt|tmp|var(?:\/(?:cache|lib|log|tmp))?)$/;
const UNPACKED_TO = /^\/(?:usr\/local|opt)(?:\/|$)/;

/** `workdir`: where it runs, as seen inside. A string: why it cannot be done without building an image. */
export function readRunStep(text: string, workdir: string): StepNeeds | string {
  const parsed = parseShell(text.replaceAll('\\\n', ' '));
  if (parsed === null) return `RUN ${firstWords(text)}`;
  let needs = NOTHING;
  let dir = workdir;
  for (const command of simpleCommands(parsed)) {
    const read = readCommand(command, dir);
    if (typeof read === 'string') return `RUN ${firstWords(read)}`;
    needs = mergeNeeds(needs, read);
    const [program, target] = wordsIn(command);
    if (program === 'cd' && typeof target === 'string') dir = posix.resolve(dir, target);
  }
  return needs;
}

export function mergeNeeds(a: StepNeeds, b: StepNeeds): StepNeeds {
  const both = (key: keyof StepNeeds): string[] => [...new Set([...a[key], ...b[key]])];
  return {
    debian: both('debian'),
    python: both('python'),
    requirements: both('requirements'),
    programs: both('programs'),
    dirs: both('dirs'),
    executables: both('executables'),
  };
}

export const NO_NEEDS = NOTHING;

const MAX_SHOWN = 100;
function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

const wordsIn = ({ words }: Simple): readonly (string | null)[] => words.map(({ value }) => value);

/** A string: the command that needs an image. */
function readCommand(command: Simple, dir: string): StepNeeds | string {
  const words = wordsIn(command);
  const [program, ...args] = unwrapped(words);
  if (program === undefined) return NOTHING;
  const writes = command.redirects.find(
    ({ operator, target }) => operator.includes('>') && !isThrownAway(target.value),
  );
  if (writes !== undefined || program === null) return command.text;
  const plain = args.filter((word) => word !== null);
  const isKnown = plain.length === args.length;
  const options = plain.filter((word) => word.startsWith('-'));
  const operands = plain.filter((word) => !word.startsWith('-'));
  if (/^apt(?:-get)?$/.test(program)) return isKnown ? aptNeeds(operands) : command.text;
  if (isPip(program, plain)) return isKnown ? pipNeeds(plain, dir) : command.text;
  if (program === 'curl' || program === 'wget') return downloadNeeds(command);
  if (program === 'tar' || program === 'unzip') return unpacksBeside(plain) ? NOTHING : command.text;
  if (program === 'mkdir' && isKnown)
    return {
      ...NOTHING,
      dirs: operands.map((path) => posix.resolve(dir, path)).filter((path) => !OF_EVERY_SYSTEM.test(path)),
    };
  if (program === 'chmod' && isKnown && /x|[1357]/.test(operands[0] ?? options[0] ?? ''))
    return { ...NOTHING, executables: operands.slice(1).map((path) => posix.resolve(dir, path)) };
  if (program === 'rm' && isKnown) return operands.every((path) => REMOVABLE.test(path)) ? NOTHING : command.text;
  if (program === 'ln' && isKnown) return isNameOfPython(operands) ? NOTHING : command.text;
  if (/^(?:ba|da)?sh$/.test(program) && (operands.length === 0 || options.includes('-s'))) return NOTHING;
  if (program === 'git' && operands[0] === 'config') return NOTHING;
  if (WITHOUT_EFFECT.has(program)) return NOTHING;
  if (plain.length === 1 && VERSION_QUERY.test(plain[0] ?? '')) return { ...NOTHING, programs: [program] };
  return command.text;
}

/** Without `sudo`, and without `env` and the variables that it sets. */
function unwrapped(words: readonly (string | null)[]): readonly (string | null)[] {
  if (words[0] === 'sudo') return unwrapped(words.slice(1));
  if (words[0] !== 'env') return words;
  const at = words.findIndex((word, index) => index > 0 && word?.includes('=') !== true);
  return at < 0 ? [] : words.slice(at);
}

const isThrownAway = (target: string | null): boolean =>
  target !== null && /^\/(?:dev\/null|tmp\/)|^[12]$/.test(target);

function aptNeeds([verb, ...names]: readonly string[]): StepNeeds {
  return verb === 'install' ? { ...NOTHING, debian: names } : NOTHING;
}

function isPip(program: string, args: readonly string[]): boolean {
  if (/^pip3?(?:\.\d+)?$/.test(program)) return true;
  return /^python3?(?:\.\d+)?$/.test(program) && args[0] === '-m' && args[1] === 'pip';
}

const PIP_VALUES = new Set([
  '-i',
  '--index-url',
  '--extra-index-url',
  '-f',
  '--find-links',
  '-c',
  '--constraint',
  '--target',
]);

function pipNeeds(args: readonly string[], dir: string): StepNeeds {
  const at = args.indexOf('install');
  if (at < 0) return NOTHING;
  const python: string[] = [];
  const requirements: string[] = [];
  for (let index = at + 1; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '-r' || word === '--requirement') requirements.push(posix.resolve(dir, args[(index += 1)] ?? ''));
    else if (PIP_VALUES.has(word)) index += 1;
    else if (!word.startsWith('-')) python.push(word);
  }
  return { ...NOTHING, python, requirements };
}

function downloadNeeds({ text }: Simple): StepNeeds | string {
  const addresses = text.match(/https?:\/\/[^\s"']+/g) ?? [];
  const found = addresses.map(programsAt);
  return found.length === 0 || found.includes(null)
    ? text
    : { ...NOTHING, programs: found.flatMap((one) => one ?? []) };
}

function unpacksBeside(args: readonly string[]): boolean {
  const at = args.findIndex((word) => word === '-C' || word === '-d' || word === '--directory');
  return at >= 0 && UNPACKED_TO.test(args[at + 1] ?? '');
}

/** `python` for `python3`, which the shims give anyway. */
function isNameOfPython([from = '', to = '']: readonly string[]): boolean {
  return /\/python3(?:\.\d+)?$/.test(from) && /\/python3?$/.test(to);
}
