import type { Language } from '../../syntax/language.ts';

/** A name that stands for something else throughout a file. */
interface Meaning {
  readonly name: string;
  readonly means: string;
}

const MAX_MEANING = 200;
const MAX_LINE = 2000;
const NAME = String.raw`[A-Za-z_$][\w$]*`;
const PATH = new RegExp(String.raw`^${NAME}(?:\s*(?:\.|::)\s*${NAME})+$`);
const TEXT = /^(["'`])(?:(?!\1)[^\\\n]|\\.)*\1$/;
/** Names that reveal who runs a program; an alias counts the same. */
const TELLING =
  /\b(?:process|sys|os|environ|getenv|env|argv|Args|flag|modules|stack|traceback|inspect|builtins|Environ|args|vars|base64|b64decode|atob|Buffer|marshal|fromhex|codecs|zlib|Interfaces|networkInterfaces|if_nameindex)\b|\/proc\b/;
/** Parts of a language: code that gives one another name may replace a member of it under that name. */
const PARTS =
  /^(?:Object|Array|JSON|String|Number|Boolean|Math|Reflect|Promise|RegExp|Map|Set|Function|Date|Error|globalThis|global|process|assert|sys|os|builtins)$/;

const ASSIGNED: Readonly<Partial<Record<Language, readonly RegExp[]>>> = {
  python: [
    new RegExp(String.raw`^\s*(${NAME})\s*(?::[^=]+)?=(?!=)\s*(.+?)\s*$`),
    new RegExp(String.raw`^\s*(?:async\s+)?for\s+(${NAME})\s+in\s+(.+?)\s*:`),
    new RegExp(String.raw`^\s*with\s+(.+?)\s+as\s+(${NAME})\s*:`),
  ],
  go: [
    new RegExp(String.raw`^\s*(?:var\s+|const\s+)?(${NAME})\s*(?:,\s*(?:_|err)\s*)?(?:string\s*)?:?=(?!=)\s*(.+?)\s*$`),
    new RegExp(String.raw`^\s*for\s+(?:_\s*,\s*)?(${NAME})\s*:=\s*range\s+(.+?)\s*\{`),
  ],
  rust: [new RegExp(String.raw`^\s*(?:let|const|static)\s+(?:mut\s+)?(${NAME})\s*(?::[^=]+)?=(?!=)\s*(.+?);?\s*$`)],
  bash: [new RegExp(String.raw`^\s*(?:local\s+|export\s+|readonly\s+)?(${NAME})=(.+?)\s*;?\s*$`)],
};
const JAVASCRIPT_ASSIGNED: readonly RegExp[] = [
  new RegExp(String.raw`^\s*(?:export\s+)?(?:const|let|var)\s+(${NAME})\s*(?::[^=]+)?=(?![=>])\s*(.+?);?\s*$`),
  new RegExp(String.raw`\bfor\s*\(\s*(?:const|let|var)\s+(${NAME})\s+(?:of|in)\s+(.+?)\)\s*(?:\{|[\w$]|$)`),
];
const DESTRUCTURED = /^\s*(?:export\s+)?(?:const|let|var)\s+\{([^}]*)\}\s*=\s*([\w$.]+)\s*;?\s*$/;
const JS_IMPORT =
  /^\s*import\s+(?:\*\s+as\s+([\w$]+)|([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?)\s*from\s*(["'])(?:node:)?([\w/-]+)\4/;
const PYTHON_IMPORT = /^\s*import\s+(.+?)\s*$/;
const PYTHON_FROM = /^\s*from\s+([\w.]+)\s+import\s+\(?(.+?)\)?\s*$/;
const GO_IMPORT = /^\s*(?:import\s+)?([A-Za-z_]\w*)\s+"((?:[\w.]+\/)*(\w+))"\s*$/;

/**
 * Every line with names replaced by their values, if those are strings, members, or reveal who runs the program. Only names that are
 * assigned once: others may mean anything.
 */
export function resolveNames(lines: readonly string[], language: Language): readonly string[] {
  const meanings = new Map<string, string>();
  const given = lines.flatMap((line) => meaningsIn(line, language));
  const times = new Map<string, number>();
  for (const { name } of given) times.set(name, (times.get(name) ?? 0) + 1);
  for (const { name, means } of given) {
    const resolved = replaceNames(means, meanings);
    if (times.get(name) === 1 && resolved.length <= MAX_MEANING && isTelling(means, resolved))
      meanings.set(name, resolved);
  }
  if (meanings.size === 0) return lines;
  return lines.map((line) => (line.length > MAX_LINE ? line : replaceNames(line, meanings)));
}

const ARGUMENTS =
  /\bsys\s*\.\s*argv\s*\[\s*1|\bargv\s*\[\s*[2-9]|\bargv\s*\.\s*slice\(\s*2|\bArgs\s*\[\s*[1-9]|\bargs\(\)\s*\.\s*(?:skip|nth)/i;
/** Arguments that a user types concern only the program. */
const isTyped = (means: string): boolean => ARGUMENTS.test(means) || /parse/i.test(means);

const ARGUMENT_LIST = /^\s*(?:const|let|var)\s+\[\s*,\s*,([^\]]*)\]\s*=\s*process\s*\.\s*argv\s*;?\s*$/;

/** Every line of a program without the words that it looks for in its own arguments: `args.includes('test')` asks what a user typed. */
export function withoutArgumentWords(lines: readonly string[], language: Language): readonly string[] {
  const names = lines.flatMap((line) => [
    ...meaningsIn(line, language).flatMap(({ name, means }) => (ARGUMENTS.test(means) ? [name] : [])),
    ...(ARGUMENT_LIST.exec(line)?.[1] ?? '')
      .split(',')
      .flatMap((one) => /^\s*(?:\.\.\.)?([\w$]+)/.exec(one)?.[1] ?? []),
  ]);
  if (names.length === 0) return lines;
  const own = String.raw`(?<![\w$.])(?:${names.map((name) => name.replaceAll('$', String.raw`\$`)).join('|')})(?![\w$])`;
  const compared = String.raw`\s*(?:\.\s*(?:includes|indexOf)\s*\(|(?:\[\s*\d+\s*\])?\s*[!=]==?)\s*`;
  const asked = new RegExp(String.raw`(${own}${compared})(["'])(?:(?!\2)[^\\]|\\.)*\2`, 'g');
  return lines.map((line) => (line.length > MAX_LINE ? line : line.replaceAll(asked, `$1''`)));
}

const isTelling = (means: string, resolved: string): boolean =>
  !isTyped(resolved) &&
  (TEXT.test(means) || PARTS.test(means) || PATH.test(means) || TELLING.test(resolved) || /^["'`].*\+/.test(resolved));

function meaningsIn(line: string, language: Language): readonly Meaning[] {
  switch (language) {
    case 'python':
      return [...pythonImports(line), ...assigned(line, ASSIGNED.python ?? [])];
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return [...javascriptImports(line), ...destructured(line), ...assigned(line, JAVASCRIPT_ASSIGNED)];
    case 'go': {
      const [, alias = '', , own = ''] = GO_IMPORT.exec(line) ?? [];
      return alias === '' ? assigned(line, ASSIGNED.go ?? []) : [{ name: alias, means: own }];
    }
    default:
      return assigned(line, ASSIGNED[language] ?? []);
  }
}

function assigned(line: string, patterns: readonly RegExp[]): readonly Meaning[] {
  for (const pattern of patterns) {
    const [, first, second] = pattern.exec(line) ?? [];
    if (first === undefined || second === undefined) continue;
    return pattern.source.includes(String.raw`with\s+`)
      ? [{ name: second, means: first }]
      : [{ name: first, means: second }];
  }
  return [];
}

function pythonImports(line: string): readonly Meaning[] {
  const [, module, names] = PYTHON_FROM.exec(line) ?? [];
  if (module !== undefined && names !== undefined)
    return aliases(names, /\s+as\s+/).map(([own, alias]) => ({ name: alias, means: `${module}.${own}` }));
  const [, imported = ''] = PYTHON_IMPORT.exec(line) ?? [];
  return aliases(imported, /\s+as\s+/).flatMap(([own, alias]) => (own === alias ? [] : [{ name: alias, means: own }]));
}

function javascriptImports(line: string): readonly Meaning[] {
  const [, all, main, names = '', , module] = JS_IMPORT.exec(line) ?? [];
  if (module === undefined) return [];
  const whole = [all, main].flatMap((name) => (name === undefined || name === module ? [] : [{ name, means: module }]));
  return [...whole, ...aliases(names, /\s+as\s+/).map(([own, name]) => ({ name, means: `${module}.${own}` }))];
}

function destructured(line: string): readonly Meaning[] {
  const [, names = '', from] = DESTRUCTURED.exec(line) ?? [];
  return from === undefined
    ? []
    : aliases(names.replaceAll(/=[^,]*/g, ''), /\s*:\s*/).map(([own, name]) => ({ name, means: `${from}.${own}` }));
}

function aliases(names: string, between: RegExp): readonly (readonly [own: string, alias: string])[] {
  return names.split(',').flatMap((one) => {
    const [own = '', alias = own] = one.trim().split(between);
    return /^[\w$.]+$/.test(own) && /^[\w$]+$/.test(alias) ? [[own, alias] as const] : [];
  });
}

const STRING = /(["'`])(?:(?!\1)[^\\]|\\.)*\1/g;
/** Not a member, a key, the name of an argument, or the name that is being assigned. */
const USE = /(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$]|\s*(?:=(?!=)|:(?!:|=)))/g;

function replaceNames(line: string, meanings: ReadonlyMap<string, string>): string {
  if (meanings.size === 0) return line;
  const replaceIn = (code: string): string => code.replaceAll(USE, (name) => meanings.get(name) ?? name);
  let replaced = '';
  let at = 0;
  for (const { 0: text, index } of line.matchAll(STRING)) {
    replaced += replaceIn(line.slice(at, index)) + text;
    at = index + text.length;
  }
  return replaced + replaceIn(line.slice(at));
}
