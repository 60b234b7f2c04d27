import type { CommandLine } from '../../../command/command-line.ts';
import type { RunnerCommand } from '../../definition.ts';

const NODE = /^(?:.*\/)?node$/;
const IN_PACKAGES = String.raw`(?:(?:\.{1,2}\/)*(?:[\w@.-]+\/)*node_modules\/)`;

/** Options that change how node runs code, not which: none that loads a file. */
const HARMLESS_OPTION =
  /^--(?:experimental-(?!loader|.*config)[\w-]+|no-[\w-]+|trace-[\w-]+|enable-source-maps|max-old-space-size=\d+|stack-size=\d+)$/;

/** A program of node_modules: by its name, or by the file that it is. */
export interface PackageProgram {
  /** Of the definition. */
  readonly runner: string;
  readonly name: string;
  /** Pattern of its file below node_modules. */
  readonly file: string;
}

/** A command that runs the program. Null: it does not, or node is to load another file before it. */
export function matchPackageProgram(line: CommandLine, wanted: PackageProgram): RunnerCommand | null {
  const call = byFile(line.words, wanted) ?? byName(line.words, wanted);
  if (call === null) return null;
  const { args, nodeOptions } = call;
  if (nodeOptions.length === 0) return { runner: wanted.runner, program: 'node', args };
  if (!areHarmlessOptions(nodeOptions)) return null;
  const known = line.env.findLast(([name]) => name === 'NODE_OPTIONS')?.[1] ?? '';
  const env = { NODE_OPTIONS: [known, ...nodeOptions].filter((word) => word !== '').join(' ') };
  return { runner: wanted.runner, program: 'node', args, env };
}

export function areHarmlessOptions(words: readonly string[]): boolean {
  return words.every((word) => HARMLESS_OPTION.test(word));
}

interface Call {
  readonly args: readonly string[];
  readonly nodeOptions: readonly string[];
}

function byName([program = '', ...args]: readonly string[], { name }: PackageProgram): Call | null {
  return new RegExp(`^(?:${IN_PACKAGES}\\.bin/)?${name}$`).test(program) ? { args, nodeOptions: [] } : null;
}

function byFile([program = '', ...args]: readonly string[], { name, file }: PackageProgram): Call | null {
  if (!NODE.test(program)) return null;
  const at = args.findIndex((word) => !word.startsWith('-'));
  if (!new RegExp(`^${IN_PACKAGES}(?:\\.bin/${name}|${file})$`).test(args[at] ?? '')) return null;
  return { args: args.slice(at + 1), nodeOptions: args.slice(0, at) };
}
