const PYTHON = /^(?:.*\/)?python(?:\d+(?:\.\d+)?)?$/;
/** Options of the interpreter that need not be kept: the driver has its own, and `-O` would switch asserts off. */
const DROPPED = /^-(?:[BbdEIOPqsSuv]+|X.+)$/;

export interface PythonCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `python3 -m <module> …`; null: it is something else. */
export function pythonModule(words: readonly string[], module: string): PythonCall | null {
  const [program = '', ...rest] = words;
  if (!PYTHON.test(program)) return null;
  const filters: string[] = [];
  let at = 0;
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '-W' || word === '-X') {
      at += 1;
      if (word === '-W') filters.push(rest[at] ?? '');
    } else if (word.startsWith('-W')) {
      filters.push(word.slice(2));
    } else if (!DROPPED.test(word)) {
      break;
    }
  }
  if (rest[at] !== '-m' || rest[at + 1] !== module) return null;
  const args = rest.slice(at + 2);
  return { program, args, ...(filters.length === 0 ? {} : { env: { PYTHONWARNINGS: filters.join(',') } }) };
}
