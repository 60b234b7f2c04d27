import { languageOf } from '../../syntax/language.ts';
import type { AwareLine } from './aware-line.ts';

/**
 * Whether a line only runs something when the program ends or receives a signal, and keeps its exit code: a trap that removes files, a
 * handler of SIGTERM, `atexit`.
 */
export function keepsExitCode({ kind, path, text }: AwareLine, source: string): boolean {
  if (kind !== 'process') return false;
  const language = languageOf(path, source);
  if (language === 'bash') return keepsInShell(text, source);
  if (language === 'c') return keepsInC(text, source);
  const rest = text.replaceAll(
    new RegExp(String.raw`\bsignal\s*\.\s*signal\s*\(\s*signal\s*\.\s*${TOLD_TO_END}\b`, 'g'),
    '',
  );
  return (
    language === 'python' &&
    (rest !== text || /\batexit\b/.test(text)) &&
    !/\b(?:exec[lv]p?e?|kill|killpg|raise_signal|setitimer|alarm|pthread_kill|excepthook)\b|\bsignal\s*\.\s*signal\b/.test(
      rest,
    ) &&
    !/\bos\s*\.\s*(?:_exit|abort)\b|\bmodules\b|__import__|environ/.test(text)
  );
}

const TOLD_TO_END = 'SIG(?:TERM|INT|HUP|QUIT|PIPE|USR[12]|ALRM|CHLD|WINCH|CONT)';

function keepsInC(text: string, source: string): boolean {
  if (/#\s*(?:define|undef)\s+(?:SIG|_?_?[eE]xit|atexit|signal)/.test(source)) return false;
  const rest = text
    .replaceAll(new RegExp(String.raw`\b(?:signal|sigaction)\s*\(\s*${TOLD_TO_END}\s*,`, 'g'), '')
    .replaceAll(/\batexit\s*\(/g, '')
    .replaceAll(/\b_[eE]xit\s*\(\s*(?:[1-9]\d*|EXIT_FAILURE)\s*\)/g, '');
  return (
    rest !== text &&
    !/\b(?:exec\w+|syscall|asm|__asm__|longjmp|kill|signal|sigaction|_[eE]xit)\s*\(|\basm\b|__attribute__/.test(rest)
  );
}

const TRAP =
  /(^|[\s;&|({])trap\s+(?:--\s+)?('[^']*'|"(?:[^"\\]|\\.)*"|[\w-]+)((?:\s+(?:EXIT|INT|TERM|HUP|QUIT|PIPE|USR[12]|ALRM|WINCH|0|1|2|3|13|15))+)(?=\s*(?:$|[;&|)}]))/g;

function keepsInShell(text: string, source: string): boolean {
  const traps = [...text.matchAll(TRAP)];
  if (traps.length === 0 || traps.length !== text.match(/\btrap\b/g)?.length) return false;
  return traps.every(([, , action = '']) => isHarmless(action, source));
}

function isHarmless(action: string, source: string): boolean {
  const inner = action.replace(/^(["'])(.*)\1$/s, '$2');
  if (inner === '' || inner === '-') return true;
  const named = action.startsWith('"') ? [...inner.matchAll(/(?<!\\)\$\{?(\w+)\}?/g)].map(([, name = '']) => name) : [];
  if (action.startsWith('"') && /(?<!\\)(?:`|\$[^\w{])/.test(inner)) return false;
  return named.every((name) => isTemporary(name, source)) && leavesCode(inner, source, 3);
}

/** The shell expands a double-quoted action twice, so its variables could contain commands. */
function isTemporary(name: string, source: string): boolean {
  const given = source.match(new RegExp(String.raw`(?<![\w$])${name}=`, 'g'))?.length ?? 0;
  const made =
    source.match(new RegExp(String.raw`(?<![\w$])${name}="?\$\(\s*mktemp\b[^;&|$\x60]*\)"?\s*$`, 'gm'))?.length ?? 0;
  return given > 0 && given === made;
}

const COMMANDS = new Set(
  'rm rmdir mv cp echo printf cat unlink umount tput stty cd popd wait sleep unset [ [[ test true : date logger if then else elif fi for in do done while case esac local'.split(
    ' ',
  ),
);

/**
 * Whether no command ends the program with success: each is an ordinary command, or a function of the same file for which this holds
 * too.
 */
function leavesCode(commands: string, source: string, depth: number): boolean {
  const kept = /(?:^|[;\n]\s*)(?:local\s+)?(\w+)=\$\?/.exec(commands)?.[1];
  const same =
    kept === undefined || (commands.match(new RegExp(String.raw`(?<![\w$])${kept}=`, 'g'))?.length ?? 0) > 1
      ? null
      : kept;
  const plain = commands
    .replaceAll(/(?<![$\w])#.*$/gm, '')
    .replaceAll(/\d*(?:&?>>?|<)\s*&?[\w./"${}-]*/g, '')
    .replaceAll(/\bexit\s+[1-9]\d*\b/g, ':')
    .replaceAll(same === null ? /$^/g : new RegExp(String.raw`\bexit\s+"?\$\{?${same}\}?"?`, 'g'), ':');
  const words = plain
    .split(/&&|\|\||[;\n|&{}()]|\b(?:then|else|do|if|elif|while)\b/)
    .map((part) => part.trim().replace(/^(?:!\s+|local\s+|\w+=(?:"[^"]*"|'[^']*'|\S*)\s*)+/, ''))
    .map((part) => /^\S*/.exec(part)?.[0] ?? '')
    .filter((word) => word !== '' && !/^["']?\*?["']?$/.test(word));
  return words.every((word) => {
    const body = bodyOf(word, source);
    if (body !== null) return depth > 0 && leavesCode(body, source, depth - 1);
    return COMMANDS.has(word);
  });
}

function bodyOf(name: string, source: string): string | null {
  if (!/^\w[\w-]*$/.test(name)) return null;
  const found = [
    ...source.matchAll(
      new RegExp(String.raw`^[ \t]*(?:function\s+)?${name}\s*(?:\(\s*\))?\s*\{([^]*?)(?:^[ \t]*\}|\}[ \t]*$)`, 'gm'),
    ),
  ];
  return found.length === 0 ? null : found.map(([, body = '']) => body).join('\n');
}
