import { basename } from 'node:path';
import type { BaseFiles } from '../base-files.ts';
import { below, type Expander, type PlacedText } from './expansion.ts';
import { type Makefile, type MakeRule, parseMakefile } from './makefile.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
/** Print more or less, run at once, go on elsewhere after a failure that still counts. */
const HARMLESS =
  /^(?:-s|-k|-B|-w|--silent|--quiet|--keep-going|--no-print-directory|--always-make|-j\d*|--jobs(?:=\d+)?|--output-sync.*|-O\w*)$/;

interface MakeCall {
  readonly dir: string;
  readonly file: string | null;
  readonly targets: readonly string[];
  readonly given: ReadonlyMap<string, string>;
}

/** `make test`: the recipes of the base's Makefile, run by the shell one after the other. */
export const expandMake: Expander = (line, dir, files) => {
  const [program = '', ...args] = line.words;
  if (!/^g?make$/.test(basename(program))) return null;
  if (args.some((word) => /^(?:-[a-zA-Z]*i|--ignore-errors$)/.test(word))) {
    return { kind: 'hides', why: `${line.words.join(' ')} ignores errors` };
  }
  const call = readCall(args, dir);
  const text = call === null ? null : readMakefileText(call, files);
  const makefile = call === null || text === null ? null : parseMakefile(text, call.given);
  if (call === null || makefile === null) return null;
  const targets = call.targets.length === 0 ? [makefile.first ?? ''] : call.targets;
  const texts: PlacedText[] = [];
  for (const target of targets) {
    const rule = makefile.rules.get(target);
    const found = rule === undefined || isBuiltIn(target, rule) ? null : planTarget(makefile, target, call, new Set());
    if (found === null) return null;
    if (typeof found === 'string') return { kind: 'hides', why: found };
    texts.push(...found);
  }
  return { kind: 'texts', texts, usesNode: false };
};

/**
 * Every recipe on the way to a target. A string: why a failure would not count. Null: a rule makes files, which only make itself
 * can tell to be out of date.
 */
function planTarget(
  makefile: Makefile,
  target: string,
  call: MakeCall,
  above: ReadonlySet<string>,
): readonly PlacedText[] | string | null {
  const rule = makefile.rules.get(target);
  if (rule === undefined || above.has(target)) return null;
  const texts: PlacedText[] = [];
  for (const need of rule.needs) {
    const known = makefile.rules.get(need);
    const found =
      known === undefined || makesFile(need, known)
        ? null
        : planTarget(makefile, need, call, new Set([...above, target]));
    if (typeof found === 'string') return found;
    // Left to make: what it builds, it builds before.
    texts.push(...(found ?? [{ text: makeText(call, need), dir: call.dir }]));
  }
  for (const { text, ignoresFailure } of rule.lines) {
    const isIgnored = ignoresFailure || makefile.ignores.has('*') || makefile.ignores.has(target);
    if (isIgnored && !/^\s*(?:rm|mkdir|rmdir|touch|echo|printf)\b/.test(text)) {
      return `the recipe of ${target} ignores a failure of: ${text}`;
    }
    if (text.startsWith('$(unreadable)')) return null;
    texts.push({ text, dir: call.dir });
  }
  return texts;
}

/** Names a file and says how to make it: whether that is needed is for make to tell. */
function makesFile(target: string, rule: MakeRule): boolean {
  return isBuiltIn(target, rule) || (/[./%]/.test(target) && rule.lines.length > 0);
}

/** Leaves it to the rules that make has by itself, as `words.o: words.h` and `words_test: words_test.o words.o` do. */
function isBuiltIn(target: string, { lines, needs }: MakeRule): boolean {
  const isCompiled = (name: string): boolean => /\.(?:o|obj|lo|a|la|so|[chsS]|cc|cpp|cxx|hh|hpp)$/.test(name);
  return lines.length === 0 && [target, ...needs].some(isCompiled);
}

function makeText({ file, given }: MakeCall, target: string): string {
  const variables = Array.from(given, ([name, value]) => `'${name}=${value.replaceAll("'", String.raw`'\''`)}'`);
  return ['make', ...(file === null ? [] : ['-f', file]), ...variables, target].join(' ');
}

/** Null: an option that is not known. */
function readCall(args: readonly string[], dir: string): MakeCall | null {
  const targets: string[] = [];
  const given = new Map<string, string>();
  let [place, file]: [string | null, string | null] = [dir, null];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(word);
    const namesDir = /^(?:-C|--directory)(?:=|$)/.test(word);
    if (assignment !== null) given.set(assignment[1] ?? '', assignment[2] ?? '');
    else if (namesDir || /^(?:-f|--file|--makefile)(?:=|$)/.test(word)) {
      const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[(at += 1)] ?? '');
      if (namesDir) place = place === null ? null : below(place, value);
      else file = value;
    } else if (!word.startsWith('-')) targets.push(word);
    else if (!HARMLESS.test(word)) return null;
  }
  return place === null ? null : { dir: place, file, targets, given };
}

function readMakefileText({ dir, file }: MakeCall, files: BaseFiles): string | null {
  const at = (name: string): string => (dir === '' ? name : `${dir}/${name}`);
  if (file !== null) return files.command(at(file));
  for (const name of MAKEFILES) {
    const text = files.command(at(name));
    if (text !== null) return text;
  }
  return null;
}
