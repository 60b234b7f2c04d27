import { posix } from 'node:path';

/** A word of a command that may be a path, with its context. */
interface Word {
  readonly text: string;
  /** True: the program of its command, which is looked up on PATH if it has no slash. */
  readonly isProgram: boolean;
  readonly before: string | null;
}

const EXPANSION = /\$\([^()]*\)|`[^`]*`|\$\{[^}]*\}|\$\w+/g;
const BOUNDARY = /[;&|\n(){}]+/;
const ASSIGNMENT = /^[A-Za-z_]\w*$/;
/** Programs whose first argument is a program, or a directory with one. */
const INTERPRETER = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|cd)$/;

export interface NamedPath {
  readonly path: string;
  /** True: everything below it is included. */
  readonly whole: boolean;
}

/**
 * The paths that a shell command may refer to, absolute or relative to its working directory. Only a shell could tell exactly, so every word
 * that could be a path counts as one. `isFile` decides about words with neither slash nor dot.
 */
export function pathsNamed(command: string, isFile: (path: string) => boolean): NamedPath[] {
  const quoted = [...command.matchAll(/'([^'\n]*\s[^'\n]*)'|"([^"\n]*\s[^"\n]*)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const words = [...wordsOf(command), ...quoted.map((text) => ({ text, isProgram: true, before: null }))];
  return words.flatMap(({ text, isProgram, before }): NamedPath[] => {
    const path = posix.normalize(text).replace(/\/$/, '');
    if (text.startsWith('-') || path === '' || path === '.') return [];
    if (text.includes('/')) return [{ path, whole: true }];
    if (before !== null && INTERPRETER.test(before)) return [{ path, whole: true }];
    if (before === '-m')
      return [
        { path: path.replaceAll('.', '/'), whole: true },
        { path: `${path.replaceAll('.', '/')}.py`, whole: false },
      ];
    return !isProgram && (/\w\.\w/.test(path) || isFile(path)) ? [{ path, whole: false }] : [];
  });
}

function wordsOf(command: string): Word[] {
  // An expansion at the start of a path is nearly always the root of the tree.
  const plain = command.replace(EXPANSION, (_all, at: number) => (command[at - 1] === '/' ? 'x' : '.'));
  return plain
    .replace(/['"]/g, '')
    .split(BOUNDARY)
    .flatMap((simple) => {
      const texts = simple.split(/[\s\\<>=,:]+/).filter((text) => text !== '');
      const program = texts.findIndex((text) => !(ASSIGNMENT.test(text) && simple.includes(`${text}=`)));
      return texts.map((text, at) => ({ text, isProgram: at === program, before: texts[at - 1] ?? null }));
    });
}
