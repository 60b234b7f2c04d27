/** A rule of a Makefile. */
export interface MakeRule {
  readonly needs: readonly string[];
  /** Variables expanded, prefixes off. */
  readonly lines: readonly MakeLine[];
}

export interface MakeLine {
  readonly text: string;
  /** `-` before it: a failure is ignored. */
  readonly ignoresFailure: boolean;
}

export interface Makefile {
  readonly rules: ReadonlyMap<string, MakeRule>;
  /** Of the first rule. */
  readonly first: string | null;
  /** Targets of which every failure is ignored; `*`: all of them. */
  readonly ignores: ReadonlySet<string>;
}

/** What changes the meaning of what follows in ways that are not read here. */
const UNREADABLE =
  /^(?:-?include|sinclude|ifn?eq|ifn?def|else|endif|define|endef|override|vpath|load|\.ONESHELL|\.RECIPEPREFIX|\.SECONDEXPANSION|SHELL\b|\.SHELLFLAGS)/;
const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*(\?|:{1,3}|\+)?=\s*(.*)$/;
const RULE = /^([^\s:=#][^:=#]*)::?(?!=)([^=#]*)$/;
const DEEPEST = 10;

/** Null: it holds something that is not read here. `given`: variables of the command line, which win. */
export function parseMakefile(text: string, given: ReadonlyMap<string, string>): Makefile | null {
  const variables = new Map(given);
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  const ignores = new Set<string>();
  let first: string | null = null;
  let current: string[] = [];
  for (const line of logicalLines(text)) {
    if (line.startsWith('\t')) {
      for (const target of current) rules.get(target)?.lines.push(line.slice(1));
      continue;
    }
    const plain = line.replace(/(?<!\\)#.*$/, '').trimEnd();
    if (plain.trim() === '') continue;
    if (UNREADABLE.test(plain)) return null;
    const assignment = ASSIGNMENT.exec(plain);
    if (assignment !== null) {
      const [, name = '', how = '', value = ''] = assignment;
      if (name === 'MAKEFLAGS' && /(?:^|\s)-?-?(?:i\b|ignore-errors)/.test(value)) ignores.add('*');
      if (!given.has(name)) assign(variables, name, how, value);
      current = [];
      continue;
    }
    const rule = RULE.exec(plain);
    if (rule === null) return null;
    const [targets, needs] = [rule[1], rule[2]].map((part) => words(expand(part ?? '', variables, 0) ?? '$'));
    if (targets === undefined || needs === undefined) return null;
    if (targets.includes('.IGNORE')) for (const one of needs.length === 0 ? ['*'] : needs) ignores.add(one);
    current = targets;
    for (const target of targets) {
      if (!target.startsWith('.')) first ??= target;
      const known = rules.get(target) ?? { needs: [], lines: [] };
      known.needs.push(...needs.filter((need) => need !== '|'));
      rules.set(target, known);
    }
  }
  return { rules: readRules(rules, variables), first, ignores };
}

type Drafts = ReadonlyMap<string, { readonly needs: readonly string[]; readonly lines: readonly string[] }>;

function readRules(drafts: Drafts, variables: ReadonlyMap<string, string>): Map<string, MakeRule> {
  const rules = new Map<string, MakeRule>();
  for (const [target, { needs, lines }] of drafts) {
    const own = new Map([...variables, ['@', target], ['<', needs[0] ?? ''], ['^', needs.join(' ')]]);
    rules.set(target, { needs, lines: lines.flatMap((line) => readLine(line, own)) });
  }
  return rules;
}

/** A line that cannot be expanded stays as it is: with `$(`, which no shell command then is. */
function readLine(line: string, variables: ReadonlyMap<string, string>): MakeLine[] {
  const [, prefix = '', rest = ''] = /^\s*([@+-]*)\s*([^]*)$/.exec(line) ?? [];
  const text = expand(rest, variables, 0) ?? `$(unreadable) ${rest}`;
  return text.trim() === '' || text.startsWith('#') ? [] : [{ text, ignoresFailure: prefix.includes('-') }];
}

function assign(variables: Map<string, string>, name: string, how: string, value: string): void {
  if (how === '?' && variables.has(name)) return;
  const known = variables.get(name);
  variables.set(name, how === '+' && known !== undefined ? `${known} ${value}` : value);
}

/** Null: a variable that is not set here, or a function. */
function expand(text: string, variables: ReadonlyMap<string, string>, depth: number): string | null {
  if (depth > DEEPEST) return null;
  let known = true;
  const expanded = text.replaceAll(
    /\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|(.))/g,
    (all, round?: string, curly?: string, short?: string) => {
      if (all === '$$') return '$';
      const name = round ?? curly ?? short ?? '';
      if (name === 'MAKE') return 'make';
      if (name === 'CURDIR') return '.';
      const value = variables.get(name);
      const inner = value === undefined ? null : expand(value, variables, depth + 1);
      if (inner === null) known = false;
      return inner ?? '';
    },
  );
  return known && !/\$\(/.test(text.replaceAll(/\$\([^()]*\)|\$\$\(/g, '')) ? expanded : null;
}

/** Continued lines joined. */
function logicalLines(text: string): readonly string[] {
  return text.replaceAll(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
