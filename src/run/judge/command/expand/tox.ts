import type { BaseFiles } from '../base-files.ts';
import { below, type Expander, type PlacedText, quoteWord } from './expansion.ts';

const HARMLESS =
  /^(?:-[qvr]+|--(?:recreate|skip-pkg-install|no-provision|quiet|verbose|skip-missing-interpreters(?:=.*)?))$/;

/** `tox -e py`: the commands of its section in the base's tox.ini, in the environment that was provisioned. */
export const expandTox: Expander = (line, dir, files) => {
  const [program = '', ...all] =
    /^python[\d.]*$/.test(line.words[0] ?? '') && line.words[1] === '-m' ? line.words.slice(2) : line.words;
  if (program !== 'tox') return null;
  const end = all.indexOf('--');
  const [args, posargs] = end < 0 ? [all, []] : [all.slice(0, end), all.slice(end + 1)];
  const name = environmentName(args);
  const settings = name === null ? null : sectionFor(name, dir, files);
  if (settings === null) return null;
  const commands = settings.get('commands') ?? [];
  const place = below(dir, (settings.get('changedir')?.[0] ?? '').replace(/^\{toxinidir\}\/?/, '') || '.');
  const env = readVariables(settings.get('setenv') ?? settings.get('set_env') ?? []);
  if (commands.length === 0 || place === null || env === null) return null;
  const texts: PlacedText[] = [];
  for (const command of commands) {
    const text = substitute(command, posargs);
    if (text === null) return null;
    if (/^\s*-/.test(text)) return { kind: 'hides', why: `tox ignores a failure of: ${text}` };
    texts.push({ text, dir: place, env });
  }
  return { kind: 'texts', texts, usesNode: false };
};

/** Null: several are asked for, or an option that is not known. */
function environmentName(args: readonly string[]): string | null {
  const rest = args[0] === 'run' || args[0] === 'r' ? args.slice(1) : args;
  let name: string | null = '';
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const value = word === '-e' ? rest[(at += 1)] : /^-e(.+)$/.exec(word)?.[1];
    if (value !== undefined) name = name === '' && !value.includes(',') ? value : null;
    else if (!HARMLESS.test(word)) return null;
  }
  return name;
}

type Section = ReadonlyMap<string, readonly string[]>;

/** The lines of each setting. Null: there is none, or another section has commands of its own that would run too. */
function sectionFor(name: string, dir: string, files: BaseFiles): Section | null {
  const text = files.command(dir === '' ? 'tox.ini' : `${dir}/tox.ini`);
  if (text === null) return null;
  const sections = readIni(text);
  const common = sections.get('testenv');
  const own = sections.get(`testenv:${name}`);
  const others = [...sections].some(([title, section]) => title.startsWith('testenv:') && section.has('commands'));
  if (common === undefined || (name === '' && others)) return null;
  return new Map([...common, ...(own ?? [])]);
}

function readIni(text: string): Map<string, Map<string, string[]>> {
  const sections = new Map<string, Map<string, string[]>>();
  let section = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const title = /^\[(.+)\]\s*$/.exec(line)?.[1];
    const setting = /^([\w-]+)\s*=\s*(.*)$/.exec(line);
    if (title !== undefined) {
      section = new Map();
      sections.set(title, section);
    } else if (setting !== null) {
      lines = setting[2] === '' ? [] : [setting[2] ?? ''];
      section.set(setting[1] ?? '', lines);
    } else {
      lines.push(line.trim());
    }
  }
  return sections;
}

/** Null: a value that depends on more than the file. */
function readVariables(lines: readonly string[]): readonly (readonly [string, string])[] | null {
  const pairs = lines.map((line) => /^(\w+)\s*=\s*(.*)$/.exec(line.replaceAll(/\{toxinidir\}|\{tox_root\}/g, '.')));
  if (pairs.some((pair) => pair === null || /\{/.test(pair[2] ?? ''))) return null;
  return pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''] as const);
}

function substitute(command: string, posargs: readonly string[]): string | null {
  const words = posargs.map(quoteWord).join(' ');
  const text = command
    .replaceAll(/\{posargs(?::([^{}]*))?\}/g, (_, usual?: string) => (posargs.length > 0 ? words : (usual ?? '')))
    .replaceAll('[]', words)
    .replaceAll(/\{(?:toxinidir|tox_root)\}/g, '.')
    .replaceAll(/\{(?:envpython|env_python)\}/g, 'python3')
    .trim();
  // `py311: pytest` holds for some environments only.
  return /\{[^{}]*\}|^[\w,!-]+:\s/.test(text) ? null : text;
}
