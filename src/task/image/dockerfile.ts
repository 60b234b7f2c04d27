/** One instruction of a Dockerfile. */
export interface DockerInstruction {
  /** In capitals. */
  readonly name: string;
  /** What follows, with continued lines joined and comments taken out. */
  readonly text: string;
  readonly line: number;
  /** The bodies of here-documents, in order. */
  readonly heredocs: readonly string[];
}

const DIRECTIVE = /^#\s*escape\s*=\s*(.)\s*$/i;
const HEREDOC = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/g;

/** Splits a Dockerfile into its instructions. Never fails: what an instruction means is decided by its reader. */
export function parseDockerfile(source: string): readonly DockerInstruction[] {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escape = escapeCharacter(lines);
  const instructions: DockerInstruction[] = [];
  for (let at = 0; at < lines.length;) {
    const line = at + 1;
    if (isBlank(lines[at] ?? '')) {
      at += 1;
      continue;
    }
    let text = '';
    let continues = true;
    while (continues && at < lines.length) {
      const next = lines[at] ?? '';
      at += 1;
      // Comments and blank lines between continued lines do not end the instruction.
      if (text !== '' && isBlank(next)) continue;
      const trimmed = next.trimEnd();
      continues = trimmed.endsWith(escape);
      text += continues ? `${trimmed.slice(0, -1)} ` : next;
    }
    const heredocs: string[] = [];
    for (const [, , word = ''] of takesHeredocs(text) ? text.matchAll(HEREDOC) : []) {
      const body: string[] = [];
      while (at < lines.length && (lines[at] ?? '').trim() !== word) body.push(lines[at++] ?? '');
      at += 1;
      heredocs.push(`${body.join('\n')}\n`);
    }
    const [, name = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    instructions.push({ name: name.toUpperCase(), text: rest.trim(), line, heredocs });
  }
  return instructions;
}

function escapeCharacter(lines: readonly string[]): string {
  for (const line of lines) {
    if (!line.startsWith('#')) break;
    const found = DIRECTIVE.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return '\\';
}

const isBlank = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);
const takesHeredocs = (text: string): boolean => /^\s*(?:RUN|COPY|ADD)\b/i.test(text);

/** The words of an instruction: those of its JSON form, or those between blanks with quotes taken off. */
export function wordsOf(text: string): readonly string[] {
  if (text.trimStart().startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed;
    } catch {
      // Docker, too, takes what is not JSON as plain words.
    }
  }
  return [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) => unquote(word));
}

function unquote(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
    (_all, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(.)/g, '$1') ?? single ?? escaped ?? '',
  );
}

/** `$NAME`, `${NAME}` and `${NAME:-word}` replaced; unknown variables are empty, as in Docker. */
export function substitute(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /\\(\$)|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::([-+])([^}]*))?\})/g,
    (_all, escaped?: string, plain?: string, braced?: string, operator?: string, word?: string) => {
      if (escaped !== undefined) return escaped;
      const value = variables.get(plain ?? braced ?? '');
      if (operator === '-') return value === undefined || value === '' ? (word ?? '') : value;
      if (operator === '+') return value === undefined || value === '' ? '' : (word ?? '');
      return value ?? '';
    },
  );
}

/** The pairs of an ENV, ARG or LABEL instruction: `A=1 B="two"`, or the old `A one two`. */
export function pairsOf(text: string): readonly (readonly [string, string])[] {
  const old = /^([A-Za-z_]\w*)\s+([\s\S]*)$/.exec(text);
  if (old !== null && !/^[A-Za-z_]\w*=/.test(text)) return [[old[1] ?? '', (old[2] ?? '').trim()]];
  return wordsOf(text).map((word) => {
    const at = word.indexOf('=');
    return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
  });
}
